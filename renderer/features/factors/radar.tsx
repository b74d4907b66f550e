// Renderer: a small radar of the twelve dimensions, now and before, with the names of those that moved most.
import { useState } from 'react';
import type { FactorPoint } from '../../../shared/channels/queries.ts';
import { FACTOR_DIMENSIONS, type FactorCode } from '../../../shared/domain/factors.ts';
import { powerRank } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { linePath } from '../../ui/line-path.ts';
import { Stepper, stepBy } from '../../ui/stepper.tsx';

type Powers = FactorPoint['powers'];

interface RadarProps {
  readonly symbol: string;
  readonly now: Powers;
  /** null: not known. */
  readonly before: Powers | null;
  /** The dimensions whose names are shown. */
  readonly named: readonly (FactorCode | null)[];
}

const WIDTH = 312;
const HEIGHT = 206;
/** Leaves room for the longest name beside it. */
const RADIUS = 72;
const LABELS_AT = RADIUS + 10;
const RINGS = [0.25, 0.5, 0.75, 1] as const;
const LAST = FACTOR_DIMENSIONS.length - 1;

const angle = (index: number): number => (index / FACTOR_DIMENSIONS.length) * 2 * Math.PI;
const at = (index: number, radius: number): readonly [number, number] => [
  Math.sin(angle(index)) * radius,
  -Math.cos(angle(index)) * radius,
];
/** A dimension without a value leaves the outline open there. */
const outline = (values: readonly (number | null)[]): string =>
  linePath(values.map((value, index) => (value === null ? null : at(index, value * RADIUS))));
const valuesOf = (powers: Powers): (number | null)[] => FACTOR_DIMENSIONS.map(({ code }) => powers[code]);
const pathOf = (powers: Powers): string => {
  const values = valuesOf(powers);
  return outline([...values, values[0] ?? null]);
};

export function Radar({ symbol, now, before, named }: RadarProps) {
  const [index, setIndex] = useState<number | null>(null);
  const strongest = FACTOR_DIMENSIONS.filter(({ code }) => now[code] !== null)
    .sort((a, b) => (now[b.code] ?? 0) - (now[a.code] ?? 0))
    .slice(0, 3)
    .map(({ name }) => name);
  const step = index ?? 0;
  const dimension = FACTOR_DIMENSIONS[step];
  const say = (powers: Powers | null): string => {
    const value = dimension === undefined ? null : (powers?.[dimension.code] ?? null);
    return value === null ? texts.factors.none : powerRank(value);
  };
  const [x, y] = at(step, RADIUS);
  return (
    <figure className="radar" aria-label={texts.factors.radarName(symbol)}>
      <figcaption className="spoken">{texts.factors.radarSummary(symbol, strongest)}</figcaption>
      <Stepper
        label={texts.factors.radarStep(symbol)}
        last={LAST}
        index={step}
        text={dimension && texts.factors.radarPoint(dimension.name, say(now), say(before))}
        step={(key, shift) => stepBy(step, LAST, key, shift, 3)}
        onMove={setIndex}
        onLeave={() => setIndex(null)}
      />
      <svg viewBox={`${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {RINGS.map((share) => (
          <path
            key={share}
            d={`${outline(FACTOR_DIMENSIONS.map(() => share))}Z`}
            fill="none"
            stroke={share === 1 ? 'var(--line-2)' : 'var(--line)'}
          />
        ))}
        {FACTOR_DIMENSIONS.map(({ code }, spoke) => (
          <path key={code} d={`M0 0L${at(spoke, RADIUS).join(' ')}`} stroke="var(--line)" />
        ))}
        {before !== null && <path d={pathOf(before)} className="radar-then" />}
        <path d={pathOf(now)} className="radar-now" />
        {FACTOR_DIMENSIONS.map(({ code }, spoke) => {
          const value = now[code];
          if (value === null || !named.includes(code)) return null;
          const [px, py] = at(spoke, value * RADIUS);
          return <circle key={code} cx={px} cy={py} r="2.8" fill="var(--accent)" />;
        })}
        {index !== null && <path d={`M0 0L${x} ${y}`} stroke="var(--accent)" strokeWidth="1.5" />}
        {FACTOR_DIMENSIONS.map(({ code, name }, spoke) => {
          const [lx, ly] = at(spoke, LABELS_AT);
          const side = Math.abs(lx) < 1 ? 'middle' : lx > 0 ? 'start' : 'end';
          if (!named.includes(code) && spoke !== index) return null;
          return (
            <text key={code} x={lx} y={ly + 4 + (Math.abs(lx) < 1 ? Math.sign(ly) * 3 : 0)} textAnchor={side}>
              {name}
            </text>
          );
        })}
      </svg>
    </figure>
  );
}
