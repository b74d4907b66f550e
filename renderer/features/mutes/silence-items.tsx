// Renderer, mutes: the choices of a silence as items of a menu, and the mark of a muted symbol.
import { type Matchers, onlySymbol } from '../../../shared/domain/matchers.ts';
import { texts } from '../../../shared/text/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { MenuItem } from '../../ui/menu.tsx';
import { useEndMute, useMuteOf, useMuteText, useSilenceChoices, useSilenceCoverage } from './use-silence.ts';

const messages = texts.silences;

interface SilenceItemsProps {
  readonly matchers: Matchers;
  /** Their name: "SPY", "Core". */
  readonly what: string;
}

/** Items for an open menu. A choice for several symbols shows its current coverage. */
export function SilenceItems({ matchers, what }: SilenceItemsProps) {
  const choices = useSilenceChoices(matchers, what);
  const covers = useSilenceCoverage(matchers);
  const mute = useMuteOf(onlySymbol(matchers) ?? '');
  const endMute = useEndMute();
  const muted = useMuteText(mute);
  return (
    <>
      {mute !== undefined && (
        <MenuItem onSelect={() => endMute(mute)}>
          {messages.end} <span className="t3">{muted}</span>
        </MenuItem>
      )}
      {choices.map(({ end, name, until, start }) => (
        <MenuItem key={end} onSelect={start}>
          {texts.palette.silence(what, name)} <span className="t3">{until}</span>
        </MenuItem>
      ))}
      {onlySymbol(matchers) === null && <p className="menu-note">{covers}</p>}
    </>
  );
}

/** Draws nothing for a symbol that is not muted. */
export function MutedIcon({ symbol }: { symbol: string }) {
  const text = useMuteText(useMuteOf(symbol));
  return text === '' ? null : (
    <span className="muted-mark" title={text}>
      <Icon name="muted" size={11} />
    </span>
  );
}
