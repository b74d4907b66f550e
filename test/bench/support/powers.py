"""Bench: the nine powers of symbols without a market in pandas, over whole columns, a column a symbol.

Reads open, high, low, close and volume as float64, each days by symbols. For each line of input it computes the
powers and prints the seconds; the first time it writes them, power by power.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

MONTH, QUARTER, YEAR, SPAN, LEAST, TAIL, RSI = 21, 63, 252, 504, 126, 13, 14
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


def mean_in_order(values):
    """Spreads are often 0, so neighbours have equal means; a moving sum would differ in its last bits."""
    return sum(values.shift(back) for back in reversed(range(MONTH))) / MONTH


def entropy(returns):
    """Of the orders of three neighbours; the counts in ascending order, so that equal counts stay ties."""
    a, b, c = returns.shift(2), returns.shift(1), returns
    order = 4 * (a <= b).to_numpy() + 2 * (b <= c).to_numpy() + (a <= c).to_numpy()
    total = QUARTER - 2
    # Of the eight codes two cannot occur.
    counts = np.stack([pd.DataFrame(order == code).rolling(total).sum().to_numpy() for code in (0, 2, 3, 4, 5, 7)])
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


def order(close):
    """Share of the five steps close > S21, S10 > S21 > S50 > S100 > S200 that hold."""
    s10, s21, s50, s100, s200 = (close.rolling(span).mean() for span in (10, 21, 50, 100, 200))
    steps = [close > s21, s10 > s21, s21 > s50, s50 > s100, s100 > s200]
    return (sum(step.astype(float) for step in steps) / 5).where(s200.notna())


def strength(close):
    """Wilder's RSI as 0..1: sums of the first 14 changes, then his recursion."""
    changes = close.diff().to_numpy()
    gain, loss = np.zeros(close.shape[1]), np.zeros(close.shape[1])
    result = np.full(close.shape, np.nan)
    for day in range(1, len(close)):
        keep = 1 if day <= RSI else (RSI - 1) / RSI
        gain = keep * gain + np.maximum(changes[day], 0) / RSI
        loss = keep * loss + np.maximum(-changes[day], 0) / RSI
        if day >= RSI:
            result[day] = gain / (gain + loss)
    return pd.DataFrame(result)


def rank(values):
    """Mid-rank among the last two years; pandas counts the value itself as whole, the engine as half."""
    window = values.rolling(SPAN, min_periods=LEAST)
    return window.rank(pct=True) - 0.5 / window.count()


def mean_of(*parts):
    """Mean of what is known."""
    known = sum(part.notna().astype(float) for part in parts)
    return sum(part.fillna(0) for part in parts) / known.where(known > 0)


def powers(open_, high, low, close, volume):
    before = close.shift().fillna(open_)
    returns = np.log(close / close.shift()).fillna(0)
    body = np.log(close / open_)
    overnight = np.log(open_ / before)
    up, down = np.log(high / open_), np.log(low / open_)
    wander = up * (up - body) + down * (down - body)
    ranges = np.maximum(high, before) - np.minimum(low, before)
    deviation = returns.rolling(YEAR).std()
    k = 0.34 / (1.34 + (MONTH + 1) / (MONTH - 1))
    variance = overnight.rolling(MONTH).var() + k * body.rolling(MONTH).var() + (1 - k) * wander.rolling(MONTH).mean()
    flow = (2 * close - high - low) / (high - low) * volume
    realised = (returns**2).rolling(MONTH).sum()
    bipower = (returns * returns.shift()).abs().rolling(MONTH - 1).sum()
    worst = -returns.rolling(MONTH).min().clip(upper=0)
    move = np.log(close / close.shift(5)).abs()
    month, quarter, year = (lambda values, span=span: rank(from_bar(values, span + 1)) for span in (MONTH, QUARTER, YEAR))
    illiquidity = np.log((returns.abs() / (close * volume)).rolling(MONTH).mean())
    efficiency = (close - close.shift(MONTH)).abs() / close.diff().abs().rolling(MONTH).sum()
    momentum = np.log(close.shift(MONTH) / close.shift(YEAR)) / deviation
    return [
        1 - mean_of(month(illiquidity), month(mean_in_order(spread(high, low, close)))),
        month(np.log(np.sqrt(variance))),
        year(returns.rolling(YEAR).mean() / deviation),
        mean_of(month(efficiency), 1 - quarter(entropy(returns))),
        year(momentum),
        mean_of(order(close), quarter(signed_fit(np.log(close)))),
        mean_of(
            strength(close),
            rank(close / close.rolling(125).mean()),
            month(flow.rolling(MONTH).sum() / volume.rolling(MONTH).sum()),
        ),
        mean_of(
            quarter(move / (returns.rolling(QUARTER).std() * np.sqrt(5))),
            quarter(ranges.rolling(5).mean() / ranges.rolling(QUARTER).mean()),
        ),
        mean_of(
            year(hill(returns)),
            month(1 - (np.pi / 2) * (MONTH / (MONTH - 1)) * bipower / realised),
            month(worst / deviation.shift(MONTH)),
        ),
    ]


def main(source, target, symbols):
    columns = np.fromfile(source).reshape(5, -1, int(symbols))
    for _ in sys.stdin:
        begun = time.perf_counter()
        result = powers(*map(pd.DataFrame, columns))
        seconds = time.perf_counter() - begun
        if not Path(target).exists():
            np.stack([one.to_numpy() for one in result]).tofile(target)
        print(seconds, flush=True)


main(*sys.argv[1:])
