// Renderer, settings: version and licences, including the required notice of the chart library.

import { count } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useApp, useSnapshot } from '../../store/store.ts';

import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Logo } from '../../ui/glyph.tsx';
import { ChangelogButton } from './changelog.tsx';
import { Section } from './section.tsx';

const messages = texts.settings.about;

export function About() {
  const version = useApp((state) => state.features.shell?.version ?? null);
  const events = useSnapshot((snapshot) => snapshot.ledger.events);
  return (
    <Section heading={texts.settings.section.about} sub={messages.sub}>
      <p className="row about-product">
        <Logo />
        <b>{texts.common.product}</b>
      </p>
      <p>{messages.what}</p>
      <DescriptionList narrow>
        <DescriptionItem name={messages.version}>
          {version} <ChangelogButton />
        </DescriptionItem>
        <DescriptionItem name={messages.licence}>{messages.licenceText}</DescriptionItem>
        <DescriptionItem name={messages.charts}>
          {texts.chart.noticeLong}{' '}
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
