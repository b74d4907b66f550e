// Renderer: the icon of an environment: sandbox hatched and dashed, production a solid outline.
// A word is always beside it.
import type { Environment } from '../../shared/wire/keys.ts';
import './environment-icon.css';

export function EnvironmentIcon({ environment, size = 14 }: { environment: Environment; size?: number }) {
  const ink = environment === 'sandbox' ? 'var(--sandbox)' : 'var(--t1)';
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" className="environment-icon">
      <rect x="2.7" y="1.7" width="10.6" height="8.6" fill="none" stroke={ink} strokeWidth="1.4" />
      {environment === 'sandbox' && (
        <path d="M3 7 8 2M3 10 11 2M6 10l7-7M9.500 10 13 6.500" stroke={ink} strokeWidth="1.3" />
      )}
      <path
        d="M1.500 13.600h13"
        stroke={ink}
        strokeWidth="1.8"
        strokeDasharray={environment === 'sandbox' ? '2.600 2.200' : undefined}
      />
    </svg>
  );
}
