// Renderer: a cell of a symbol's header.
import type { ReactNode } from 'react';

export function Cell({ className, label, children }: { className: string; label?: string; children: ReactNode }) {
  return (
    <div className={`sh-cell ${className}`}>
      {label !== undefined && <div className="sh-label">{label}</div>}
      {children}
    </div>
  );
}
