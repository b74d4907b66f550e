// Renderer, settings: version and licences, including the required notice of the chart library.
import { useApp, useSnapshot } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { count } from '../../text/format.ts';
import { settingsText } from '../../text/settings.ts';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Logo } from '../../ui/glyph.tsx';
import { Section } from './section.tsx';

const messages = settingsText.about;

export function About() {
  const version = useApp((state) => state.features.shell?.version ?? null);
  const events = useSnapshot((snapshot) => snapshot.ledger.events);
  return (
    <Section heading={settingsText.section.about} sub={messages.sub}>
      <p className="row about-product">
        <Logo />
        <b>{en.product}</b>
      </p>
      <p>{messages.what}</p>
      <DescriptionList narrow>
        {version !== null && <DescriptionItem name={messages.version}>{version}</DescriptionItem>}
        <DescriptionItem name={messages.licence}>{messages.licenceText}</DescriptionItem>
        <DescriptionItem name={messages.charts}>
          {en.chart.noticeLong}{' '}
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
            www.tradingview.com
          </a>
        </DescriptionItem>
        <DescriptionItem name={messages.fonts}>{messages.fontText}</DescriptionItem>
        <DescriptionItem name={messages.rest}>{messages.restText}</DescriptionItem>
        <DescriptionItem name={messages.ledger}>{messages.ledgerText(count(events))}</DescriptionItem>
      </DescriptionList>
    </Section>
  );
}
