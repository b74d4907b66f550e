// Renderer: the menu that exports the shown data as a file.
import { en } from '../text/en.ts';
import { Icon } from './icon.tsx';
import { Menu, MenuItem } from './menu.tsx';

interface ExportMenuProps {
  readonly label: string;
  readonly onCsv: () => void;
  readonly onJson: () => void;
  readonly onPng?: () => void;
}

export function ExportMenu({ label, onCsv, onJson, onPng }: ExportMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="btn quiet square" aria-label={label} title={label}>
          <Icon name="save" size={14} />
        </button>
      }
    >
      <MenuItem onSelect={onCsv}>{en.export.csv}</MenuItem>
      <MenuItem onSelect={onJson}>{en.export.json}</MenuItem>
      {onPng !== undefined && <MenuItem onSelect={onPng}>{en.export.png}</MenuItem>}
    </Menu>
  );
}
