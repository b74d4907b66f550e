// Renderer, alert rules: the menu of templates, and the menu that exports and imports rules.
import { type ChangeEvent, useRef, useState } from 'react';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { LONGEST_RULE_FILE, ruleFileOf } from '../../../shared/settings/rule-file.ts';
import { TEMPLATE_NAMES, type TemplateName, templateRule } from '../../../shared/settings/rule-templates.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { usePreference } from '../../store/preferences.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon, IconButton } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { jsonBlob, saveFile } from '../../ui/save-file.ts';
import { draftOf, type RuleDraft } from './rule-draft.ts';
import { type ChosenFile, RuleImportDialog } from './rule-import.tsx';

const { ruleSharing: text } = texts;

interface TemplateMenuProps {
  readonly alerting: Alerting;
  readonly onOpen: (draft: RuleDraft, button: HTMLElement) => void;
}

export function TemplateMenu({ alerting, onOpen }: TemplateMenuProps) {
  const zone = usePreference((preference) => preference.zone);
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const button = useRef<HTMLButtonElement>(null);
  const open = (template: TemplateName): void => {
    const context = { watchlists, channels: channelsOf(alerting), selected };
    const rule = templateRule(template, text.templates[template], context);
    if (button.current !== null) onOpen({ ...draftOf(rule, zone), id: null }, button.current);
  };
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="btn" ref={button}>
          {text.fromTemplate}
          <Icon name="down" />
        </button>
      }
    >
      {TEMPLATE_NAMES.map((template) => (
        <MenuItem key={template} onSelect={() => open(template)}>
          {text.templates[template]}
        </MenuItem>
      ))}
    </Menu>
  );
}

export function SharingMenu({ alerting }: { readonly alerting: Alerting }) {
  const { ingest } = useServices();
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  const [file, setFile] = useState<ChosenFile | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const rules = alerting.rules.flatMap(({ rule }) => rule ?? []);
  const read = async ({ currentTarget: field }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const chosen = field.files?.[0];
    if (chosen === undefined) return;
    const isTooLarge = chosen.size > LONGEST_RULE_FILE;
    ingest({ kind: 'problem', message: isTooLarge ? text.tooLarge : null });
    if (!isTooLarge) setFile({ name: chosen.name, text: await chosen.text() });
    // Allows choosing the same file again.
    field.value = '';
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={text.importFile}
        onChange={(event) => void read(event)}
      />
      <Menu align="end" trigger={<IconButton icon="more" label={text.more} ref={button} />}>
        <MenuItem onSelect={() => input.current?.click()}>{text.importFile}</MenuItem>
        <MenuItem
          disabled={rules.length === 0}
          onSelect={() => saveFile(text.file, jsonBlob(ruleFileOf(rules, watchlists, channelsOf(alerting))))}
        >
          {text.exportFile}
        </MenuItem>
      </Menu>
      {file !== null && <RuleImportDialog file={file} returnTo={button} onClose={() => setFile(null)} />}
    </>
  );
}

const channelsOf = ({ channels }: Alerting) => channels.flatMap(({ channel }) => channel ?? []);
