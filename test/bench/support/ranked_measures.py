"""Bench: the fifteen ranked measures of a symbol alone in pandas, over whole columns; a column a symbol.

Reads open, high, low, close and volume as float64, each days by symbols. For each line of input it computes the
ranks, and prints the seconds; the first time it writes them, measure by measure.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

MONTH, QUARTER, YEAR, SPAN, LEAST, TAIL = 21, 63, 252, 504, 126, 13
SCALE = 3 - 2 * np.sqrt(2)


def windows(values, span):
    return np.lib.stride_tricks.sliding_window_view(values, span, axis=0)


def from_bar(frame, bars):
    """NaN in the rows before so many bars."""
    return frame.iloc[bars - 1 :].reindex(frame.index)


def spread(high, low, close):
    before = close.shift()
    gap = (low - before).clip(lower=0) + (high - before).clip(upper=0)
    high2, low2 = high - gap, low - gap
    beta = np.log(high.shift() / low.shift()) ** 2 + np.log(high2 / low2) ** 2
    gamma = np.log(np.maximum(high2, high.shift()) / np.minimum(low2, low.shift())) ** 2
    alpha = (np.sqrt(2 * beta) - np.sqrt(beta)) / SCALE - np.sqrt(gamma / SCALE)
    return (2 * (np.exp(alpha) - 1) / (1 + np.exp(alpha))).clip(lower=0)


def entropy(returns):
    """Of the orders of three neighbours; the counts in ascending order, so that equal counts stay ties."""
    a, b, c = returns.shift(2), returns.shift(1), returns
    order = 4 * (a <= b).to_numpy() + 2 * (b <= c).to_numpy() + (a <= c).to_numpy()
    total = QUARTER - 2
    # Of the eight codes two cannot occur.
    counts = np.stack([pd.DataFrame(order == code).rolling(total).sum().to_numpy() for code in (0, 1, 2, 5, 6, 7)])
    share = np.sort(counts, axis=0) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(share > 0, share * np.log(share), 0 * share)
    return pd.DataFrame(-parts.sum(axis=0) / np.log(6))


def signed_fit(values):
    """sign(b) * R^2 of a line: b is a sum weighted by distances from the centre."""
    weights = np.arange(QUARTER) - (QUARTER - 1) / 2
    xx = (weights**2).sum()
    xy = np.full(values.shape, np.nan)
    xy[QUARTER - 1 :] = windows(values.to_numpy(), QUARTER) @ weights
    yy = values.rolling(QUARTER).var(ddof=0) * QUARTER
    return np.sign(xy) * xy * xy / (xx * yy)


def hill(returns):
    index = np.full(returns.shape, np.nan)
    for symbol, column in enumerate(-returns.to_numpy().T):
        worst = np.partition(windows(column, YEAR), YEAR - TAIL - 1, axis=-1)[:, YEAR - TAIL - 1 :]
        worst.sort(axis=-1)
        index[YEAR - 1 :, symbol] = np.log(worst[:, 1:] / worst[:, :1]).mean(axis=-1)
    return pd.DataFrame(index)


def measures(open_, high, low, close, volume):
    before = close.shift().fillna(open_)
    returns = np.log(close / before)
    changes = close.diff().abs()
    body = np.log(close / open_)
    overnight = np.log(open_ / before)
    up, down = np.log(high / open_), np.log(low / open_)
    wander = up * (up - body) + down * (down - body)
    ranges = np.maximum(high, before) - np.minimum(low, before)
    deviation = returns.rolling(YEAR).std()
    k = 0.34 / (1.34 + (MONTH + 1) / (MONTH - 1))
    variance = overnight.rolling(MONTH).var() + k * body.rolling(MONTH).var() + (1 - k) * wander.rolling(MONTH).mean()
    flow = (2 * close - high - low) / (high - low) * volume
    product = (returns * returns.shift()).abs()
    realised = (returns**2).rolling(MONTH).sum()
    bipower = product.rolling(MONTH - 1).sum()
    worst = -returns.rolling(MONTH).min().clip(upper=0)
    move = np.log(close / close.shift(5)).abs()
    month, quarter, year = MONTH + 1, QUARTER + 1, YEAR + 1
    return [
        from_bar(np.log((returns.abs() / (close * volume)).rolling(MONTH).mean()), month),
        from_bar(spread(high, low, close).rolling(MONTH).mean(), month),
        from_bar(np.log(np.sqrt(variance)), month),
        from_bar(returns.rolling(YEAR).mean() / deviation, year),
        from_bar((close - close.shift(MONTH)).abs() / changes.rolling(MONTH).sum(), month),
        from_bar(entropy(returns), quarter),
        from_bar(np.log(close.shift(MONTH) / close.shift(YEAR)) / deviation, year),
        from_bar(signed_fit(np.log(close)), quarter),
        close / close.rolling(125).mean(),
        from_bar(flow.rolling(MONTH).sum() / volume.rolling(MONTH).sum(), month),
        from_bar(move / (returns.rolling(QUARTER).std() * np.sqrt(5)), quarter),
        from_bar(ranges.rolling(5).mean() / ranges.rolling(QUARTER).mean(), quarter),
        from_bar(hill(returns), year),
        from_bar(1 - (np.pi / 2) * (MONTH / (MONTH - 1)) * bipower / realised, month),
        from_bar(worst / deviation.shift(MONTH), month),
    ]


def rank(values):
    """Mid-rank among the last two years; pandas counts the value itself as whole, the engine as half."""
    window = values.rolling(SPAN, min_periods=LEAST)
    return window.rank(pct=True) - 0.5 / window.count()


def main(source, target, symbols):
    columns = np.fromfile(source).reshape(5, -1, int(symbols))
    for _ in sys.stdin:
        begun = time.perf_counter()
        ranks = [rank(measure) for measure in measures(*map(pd.DataFrame, columns))]
        print(time.perf_counter() - begun, flush=True)
        if not Path(target).exists():
            np.stack([one.to_numpy() for one in ranks]).tofile(target)


main(*sys.argv[1:])
