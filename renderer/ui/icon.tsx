// Renderer: line icons; each decorates a word or a button with a name.
import type { ComponentProps } from 'react';

const PATHS = {
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5V8l2.5 1.5',
  warn: 'M8 2 14.8 13.9H1.2ZM8 6.5V10M8 12v.2',
  check: 'm2.8 8.4 3.4 3.4 7-7.6',
  close: 'm4 4 8 8M12 4l-8 8',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  moon: 'M13.2 9.8A5.6 5.6 0 0 1 6.2 2.8a5.6 5.6 0 1 0 7 7Z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  add: 'M8 3v10M3 8h10',
  next: 'm6 3.5 4.5 4.5L6 12.5',
  down: 'm3.5 6 4.5 4.5L12.5 6',
  up: 'm3.5 10 4.5-4.5 4.5 4.5',
  note: 'M3 2.5h6.5L13 6v7.5H3ZM9.5 2.5V6H13M5.5 8.5h5M5.5 11h5',
  more: 'M3 8h.2M8 8h.2M13 8h.2',
  save: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10',
  keys: 'M1.5 4h13v8h-13ZM4 6.5h.2M6.7 6.5h.2M9.3 6.5h.2M12 6.5h.2M5 9.5h6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3l3.2 3.2',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  bell: 'M4 11V7.5a4 4 0 0 1 8 0V11l1.2 1.5H2.8ZM6.5 14h3',
  muted: 'M4 11V7.5a4 4 0 0 1 8 0V11l1.2 1.5H2.8ZM6.5 14h3M2 1.5l12 13',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5Z',
  play: 'M5 3v10l8-5Z',
  pause: 'M5.5 3v10M10.5 3v10',
  back: 'M12 3v10L5.5 8ZM3.5 3v10',
  forth: 'M4 3v10l6.5-5ZM12.5 3v10',
  outside: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  letters: 'm2 13 4-10 4 10M3.4 9.5h5.2M10.5 13l2-5 2 5M11.2 11.2h2.6',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 13 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" style={{ width: size, height: size }} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName;
  readonly size?: number;
  readonly label: string;
  /** The label is also the tooltip. */
  readonly hasTitle?: boolean;
}

/** Passes further properties to the button element, so that a menu can open from it. */
export const IconButton = ({ icon, size = 13, label, hasTitle = false, className, ...rest }: IconButtonProps) => (
  <button
    type="button"
    className={className === undefined ? 'btn quiet square' : `btn quiet square ${className}`}
    aria-label={label}
    title={hasTitle ? label : undefined}
    {...rest}
  >
    <Icon name={icon} size={size} />
  </button>
);
