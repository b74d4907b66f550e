// Test: the details of a target, a received request and a refused one.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RejectedRequest, Target } from '../../../shared/channels/relay.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { iso, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { ArrivalDetail, RefusedDetail, TargetDetail } from './other-details.tsx';

const target: Target = {
  id: 'target_1',
  url: 'http://10.0.0.2/hook',
  filter: { events: null, symbols: null, states: null },
  allow_public: false,
  queue: 12,
  delivered: 3,
  given_up: 2,
  last: null,
  next_at: null,
};

test('a target is removed after a question that says what is lost; Cancel keeps it', async () => {
  const { user, calls } = await renderInWindow(<TargetDetail target={target} onBack={() => undefined} />, {
    'relay.target.remove': () => ({}),
  });
  const remove = screen.getByRole('button', { name: 'Remove' });
  await user.click(remove);
  const question = screen.getByRole('dialog', { name: 'Remove this target?' });
  within(question).getByText(/no longer forwarded to http:\/\/10\.0\.0\.2\/hook, and 12 waiting events are dropped/);
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(document.activeElement).toBe(remove);
  expect(calls).toEqual([]);

  await user.click(remove);
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  expect(calls).toEqual([{ name: 'relay.target.remove', input: { id: 'target_1' } }]);
});

const refused: RejectedRequest = {
  id: 7,
  at: iso(T0),
  reason: 'wrong_signature',
  message: message('signature.wrong'),
  times: 3,
  examinable: true,
};
const openRefused = (request: RejectedRequest, handlers: CoreHandlers = {}) =>
  renderInWindow(<RefusedDetail refused={request} onBack={() => undefined} />, handlers);

test('a refused request lists what the signature check found, each with its kind', async () => {
  await openRefused(refused, {
    'relay.diagnose': ({ refused: id }) => ({
      findings: [
        { kind: 'fits', message: plainMessage(`The body of ${id} is whole.`) },
        { kind: 'fault', message: plainMessage('The secret is another one.') },
      ],
    }),
  });
  const list = await screen.findByRole('list', { name: 'Signature check' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringContaining('fits: The body of 7 is whole.'),
    expect.stringContaining('fault: The secret is another one.'),
  ]);
});

test('a check that fails says why, and can be tried again', async () => {
  let tries = 0;
  const { user } = await openRefused(refused, {
    'relay.diagnose': () => (tries++ === 0 ? refuse('The request is no longer kept.') : { findings: [] }),
  });
  await screen.findByText(/The request is no longer kept\./);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('list', { name: 'Signature check' });
});

test('a request that was refused unread has nothing to examine, and nothing is asked', async () => {
  let tries = 0;
  await openRefused(
    { ...refused, examinable: false },
    {
      'relay.diagnose': () => {
        tries += 1;
        return { findings: [] };
      },
    },
  );
  screen.getByText(/refused before its body was read/);
  expect(tries).toBe(0);
});

test('a received request shows its proof, its secret and its result; Back returns', async () => {
  const back: string[] = [];
  const { user } = await renderInWindow(
    <ArrivalDetail
      arrival={{
        at: iso(T0),
        event_id: 'evt_1',
        event: 'signal.high_risk',
        symbol: 'SPY',
        result: 'quarantined',
        proof: 'x-service-signature, hex',
        secret: 'previous',
        message: message('arrival.too_old'),
      }}
      onBack={() => back.push('back')}
    />,
  );
  screen.getByText('evt_1');
  screen.getByText('x-service-signature, hex');
  screen.getByText('previous');
  await user.click(screen.getByRole('button', { name: /Back|Close/ }));
  expect(back).toEqual(['back']);
});
