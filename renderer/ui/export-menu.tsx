// Renderer: the menu that exports the shown data as a file.
import { texts } from '../../shared/text/texts.ts';
import { IconButton } from './icon.tsx';
import { Menu, MenuItem } from './menu.tsx';

interface ExportMenuProps {
  readonly label: string;
  readonly onCsv: () => void;
  readonly onJson: () => void;
  readonly onPng?: () => void;
}

export function ExportMenu({ label, onCsv, onJson, onPng }: ExportMenuProps) {
  return (
    <Menu align="end" trigger={<IconButton icon="save" size={14} label={label} hasTitle />}>
      <MenuItem onSelect={onCsv}>{texts.common.export.csv}</MenuItem>
      <MenuItem onSelect={onJson}>{texts.common.export.json}</MenuItem>
      {onPng !== undefined && <MenuItem onSelect={onPng}>{texts.common.export.png}</MenuItem>}
    </Menu>
  );
}
