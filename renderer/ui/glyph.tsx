// Renderer: the glyphs of states and health indicators, and the logo.
// Shape carries the meaning, colour only supports it. Hidden from screen readers: a text is beside them.
import type { HealthIndicator } from '../../shared/channels/state.ts';
import { type State, writtenState } from '../../shared/domain/states.ts';

export type GlyphName = State | 'unknown' | 'none';

/**
 * Normal a hollow circle, Elevated a half-filled triangle, High Risk a filled octagon, unknown a struck dashed
 * square, none a dash.
 */
export function Glyph({ name, size = 14 }: { name: GlyphName; size?: number }) {
  return (
    <svg className="glyph" viewBox="0 0 16 16" style={{ width: size, height: size }} aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}

const OCTAGON = 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z';

const SHAPES = {
  0: <circle cx="8" cy="8" r="5.6" fill="none" stroke="var(--normal)" strokeWidth="1.6" />,
  1: (
    <>
      <path d="M8 2.1 14.6 13.9H1.4Z" fill="none" stroke="var(--elevated)" strokeWidth="1.6" strokeLinejoin="round" />
      <path d="M5.05 8.6h5.9l2.6 4.7H2.45Z" fill="var(--elevated)" />
    </>
  ),
  2: <path d={OCTAGON} fill="var(--high)" stroke="var(--high-t)" />,
  unknown: (
    <>
      <rect
        x="2.6"
        y="2.6"
        width="10.8"
        height="10.8"
        fill="none"
        stroke="var(--unknown)"
        strokeWidth="1.5"
        strokeDasharray="2.6 2"
      />
      <path d="M3.4 12.6 12.6 3.4" stroke="var(--unknown)" strokeWidth="1.5" />
    </>
  ),
  none: <path d="M3 8h10" stroke="var(--unknown)" strokeWidth="1.5" />,
} as const;

/** An upright pill: filled, half filled, or struck. Never similar to a check box or a state. */
export function IndicatorIcon({ state }: { state: HealthIndicator['state'] }) {
  return (
    <svg className="indicator-icon" viewBox="0 0 10 10" aria-hidden="true">
      {INDICATORS[state]}
    </svg>
  );
}

const INDICATORS = {
  ok: <rect x="2.6" y="0" width="4.8" height="10" rx="2.4" fill="var(--t1)" />,
  degraded: (
    <>
      <rect x="2.9" y=".6" width="4.2" height="8.8" rx="2.1" fill="none" stroke="var(--elevated)" strokeWidth="1.2" />
      <path d="M2.9 5h4.2v2.3a2.1 2.1 0 0 1-4.2 0Z" fill="var(--elevated)" />
    </>
  ),
  down: (
    <>
      <rect x="2.9" y=".6" width="4.2" height="8.8" rx="2.1" fill="none" stroke="var(--high-t)" strokeWidth="1.2" />
      <path d="M.4 8.6 9.6 1.4" stroke="var(--high-t)" strokeWidth="1.4" />
    </>
  ),
} as const;

export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M4.5 2.5c3.4 6 3.4 13 0 19M12.2 2.5c3.4 6 3.4 13 0 19"
        fill="none"
        stroke="var(--edge)"
        strokeWidth="1.3"
      />
      <path
        d="M1.5 8.5c3.5-2.8 6 .4 8.6-.6 2.7-1 3.7-2.4 5.6.3 1.5 2.2 1.4 5.6 3.6 8.3"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M18.3 13.9H21l1.9 1.9v2.7L21 20.4h-2.7l-1.9-1.9v-2.7Z" fill="var(--accent)" />
    </svg>
  );
}

/** A struck eye. */
export function OfflineIcon({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path
        d="M1.5 8c2-3.3 4-5 6.5-5s4.5 1.7 6.5 5c-2 3.3-4 5-6.5 5S3.5 11.3 1.5 8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
      />
      <circle cx="8" cy="8" r="2.2" fill="currentColor" />
      <path d="M2 14 14 2" stroke="currentColor" strokeWidth="1.6" />
    </svg>
  );
}

/**
 * The label of a state. Only High Risk is on a solid block, so that it is the most visible.
 * @param word the service's own, where it is not known
 */
export function StateLabel({ state, word }: { state: State; word?: string | undefined }) {
  return <span className={`word-${state}`}>{writtenState(state, word)}</span>;
}
