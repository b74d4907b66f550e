// Renderer, settings: what this is, its version, and whose work it carries. The notice of the charts is shown with its link.
import { useApp, useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { count } from '../../text/format.ts';
import { settingsWords } from '../../text/settings.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Logo } from '../../ui/glyph.tsx';
import { Section } from './parts.tsx';

const words = settingsWords.about;

export function About() {
  const version = useApp((state) => state.wholes.shell?.version ?? null);
  const events = useBoard((board) => board.ledger.events);
  return (
    <Section heading={settingsWords.section.about} sub={words.sub}>
      <p className="row about-product">
        <Logo />
        <b>{en.product}</b>
      </p>
      <p>{words.what}</p>
      <Facts narrow>
        {version !== null && <Fact name={words.version}>{version}</Fact>}
        <Fact name={words.licence}>{words.licenceWords}</Fact>
        <Fact name={words.charts}>
          {en.chart.noticeLong}{' '}
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
            www.tradingview.com
          </a>
        </Fact>
        <Fact name={words.fonts}>{words.fontWords}</Fact>
        <Fact name={words.rest}>{words.restWords}</Fact>
        <Fact name={words.ledger}>{words.ledgerWords(count(events))}</Fact>
      </Facts>
    </Section>
  );
}
