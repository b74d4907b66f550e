// Renderer, settings: the components of every section: its head, and a named line.
import type { ReactNode } from 'react';

export function Section({ heading, sub, children }: { heading: string; sub: string; children: ReactNode }) {
  return (
    <>
      <header className="head page-head">
        <h2>{heading}</h2>
        <span className="sub ell">{sub}</span>
      </header>
      <div className="settings-lines">{children}</div>
    </>
  );
}

/** The name is only visible; controls have names of their own. */
export function Line({ name, why, children }: { name: string; why?: ReactNode; children: ReactNode }) {
  return (
    <div className="settings-line">
      <span className="settings-name">{name}</span>
      <div>
        {children}
        {why !== undefined && <p className="t3">{why}</p>}
      </div>
    </div>
  );
}
