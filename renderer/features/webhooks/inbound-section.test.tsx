// Test: the section of the inbound address: its address, the rules that choose, the mapping with its preview.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DEFAULT_MAPPING } from '../../../shared/settings/foreign-alerts.ts';
import { RELAY } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, renderInWindow } from '../../../test/harness/window.tsx';
import { InboundSection } from './inbound-section.tsx';

const press = (name: string) => screen.getByRole('button', { name });
const BODY = '{"what":"<img src=x onerror=alert(1)>","severity":"mauve"}';

async function open(handlers: CoreHandlers = {}) {
  const said: string[] = [];
  const rig = await renderInWindow(<InboundSection relay={RELAY} onSaid={(text) => said.push(text)} />, {
    'relay.inbound.last': () => ({ body: BODY }),
    ...handlers,
  });
  await rig.idle();
  return { ...rig, said };
}

test('the address is shown without its secret, in full on request, and replaced after a question', async () => {
  const { user, calls, said } = await open({
    'relay.inbound.reveal': () => ({ url: 'http://127.0.0.1:4781/alert/secret' }),
    'relay.inbound.rotate': () => ({}),
  });
  expect(document.body.textContent).toContain('http://127.0.0.1:4781/alert/…');
  expect(document.body.textContent).not.toContain('/alert/secret');
  await user.click(press('Show the address for alerts'));
  expect(screen.getByDisplayValue('http://127.0.0.1:4781/alert/secret')).toBeDefined();
  await user.click(press('Done'));
  await user.click(press('New address'));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'New address' }));
  expect(calls.map(({ name }) => name)).toContain('relay.inbound.rotate');
  expect(said.at(-1)).toContain('The earlier address is refused');
});

test('the section says that no rule chooses the alerts of other programs', async () => {
  await open();
  expect(screen.getByText('No rule chooses these alerts: they are listed, and you are not notified.')).toBeDefined();
  expect(press('Add a rule')).toBeDefined();
});

test('a typed mapping shows at once how it reads the last body, whose text stays text, and is saved', async () => {
  const { user, calls } = await open({ 'relay.inbound.mapping': () => ({}) });
  const preview = () => screen.getByRole('region', { name: 'The last body, read so' });
  expect(preview().textContent).toContain('It has no title where the mapping expects one.');
  const title = screen.getByRole('textbox', { name: 'Title' });
  await user.clear(title);
  await user.type(title, 'what');
  expect(within(preview()).getByText('<img src=x onerror=alert(1)>')).toBeDefined();
  expect(document.querySelector('img')).toBeNull();
  expect(preview().textContent).toContain('It states no known severity, so it counts as High Risk.');
  await user.type(screen.getByRole('textbox', { name: 'Severities that are Elevated' }), ', Mauve');
  expect(preview().textContent).toContain('Elevated');
  await user.click(press('Save the mapping'));
  expect(calls.find(({ name }) => name === 'relay.inbound.mapping')?.input).toMatchObject({
    title: 'what',
    elevated: [...DEFAULT_MAPPING.elevated, 'mauve'],
  });
});
