// Renderer: facts by name, as sheets show them.
import type { ReactNode } from 'react';
import type { Lamp } from '../../shared/channels/state.ts';
import { en } from '../text/en.ts';
import { LampMark } from './glyph.tsx';
import './facts.css';

export function Facts({ narrow = false, children }: { narrow?: boolean; children: ReactNode }) {
  return <dl className={narrow ? 'facts narrow' : 'facts'}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A lamp and its words; `says` is for readers, where the words alone do not tell the lamp's state. */
export function LampLine({
  state,
  says = true,
  children,
}: {
  state: Lamp['state'];
  says?: boolean;
  children: ReactNode;
}) {
  return (
    <span className="lampline">
      <LampMark state={state} />
      {says && <span className="spoken">{en.status.lampState[state]}: </span>}
      <span>{children}</span>
    </span>
  );
}
