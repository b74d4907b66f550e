// Renderer: a button that shows only an icon; its label is for screen readers.
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

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
