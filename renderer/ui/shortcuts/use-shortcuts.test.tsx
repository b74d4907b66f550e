// Test: shortcuts of mounted components.
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test } from 'vitest';
import { preferences } from '../../store/preferences.ts';
import type { Actions } from './registry.ts';
import { type Group, SHORTCUTS } from './shortcuts.ts';
import { useShortcuts } from './use-shortcuts.ts';

function Room<Of extends Group>({ group, actions }: { group: Of; actions: Actions<Of> }) {
  useShortcuts(group, actions);
  return null;
}

/** Records the command of each key that is run. */
function open() {
  const ran: string[] = [];
  const run = (name: string) => () => void ran.push(name);
  const page = render(
    <>
      <Room
        group="everywhere"
        actions={{ find: run('find'), zoneMarket: run('zone'), sheet: run('sheet'), close: run('close') }}
      />
      <Room
        group="alerts"
        actions={{ acknowledge: run('one'), acknowledgeAll: run('all'), snooze: run('snooze'), why: () => false }}
      />
      <Room group="service" actions={{ selfTest: run('test') }} />
      <input aria-label="field" />
      <input aria-label="box" type="checkbox" />
      <dialog open>
        <button type="button">in dialog</button>
      </dialog>
    </>,
  );
  return { ran, page };
}

afterEach(() => preferences.setSingleKeys(true));

describe('a key', () => {
  test('runs the command of the mounted component', async () => {
    const { ran } = open();
    await userEvent.keyboard('a');
    await userEvent.keyboard('{Shift>}A{/Shift}');
    await userEvent.keyboard('D');
    expect(ran).toEqual(['one', 'all', 'test']);
  });

  test('has its case from Shift, whatever Caps Lock makes of it', () => {
    const { ran } = open();
    const press = (key: string, shiftKey: boolean): boolean =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
    press('A', false);
    press('a', true);
    press('A', true);
    expect(ran).toEqual(['one', 'all', 'all']);
  });

  test('runs nothing once its component is unmounted', async () => {
    const { ran, page } = open();
    page.unmount();
    await userEvent.keyboard('a');
    expect(ran).toEqual([]);
  });

  test('is left to the browser where the command does not apply', () => {
    open();
    const press = (key: string): boolean =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    expect(press('w')).toBe(true);
    expect(press('a')).toBe(false);
  });

  test('calls an older component where the newest does not apply', async () => {
    const ran: string[] = [];
    render(
      <>
        <Room group="alerts" actions={{ why: () => void ran.push('older') }} />
        <Room group="alerts" actions={{ why: () => false }} />
      </>,
    );
    await userEvent.keyboard('w');
    expect(ran).toEqual(['older']);
  });

  test('is text in a field, and a command on a check box', async () => {
    const { ran, page } = open();
    await userEvent.type(page.getByLabelText('field'), 'a');
    expect(ran).toEqual([]);
    page.getByLabelText('box').focus();
    await userEvent.keyboard('a');
    expect(ran).toEqual(['one']);
  });

  test('belongs to an open dialog, Escape too', async () => {
    const { ran, page } = open();
    page.getByText('in dialog').focus();
    await userEvent.keyboard('a{Escape}');
    expect(ran).toEqual([]);
  });

  test('is no command when the user turned single keys off; Ctrl and Escape still are', async () => {
    const { ran } = open();
    preferences.setSingleKeys(false);
    await userEvent.keyboard('a{Control>}k{/Control}{Escape}');
    expect(ran).toEqual(['find', 'close']);
  });
});

test('Ctrl K works in a field', async () => {
  const { ran, page } = open();
  page.getByLabelText('field').focus();
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(ran).toEqual(['find']);
});

describe('a sequence', () => {
  test('runs its own command, not that of its last key', async () => {
    const { ran } = open();
    await userEvent.keyboard('gs');
    expect(ran).toEqual(['zone']);
  });

  test('that is unknown leaves the last key its command', async () => {
    const { ran } = open();
    await userEvent.keyboard('ga');
    expect(ran).toEqual(['one']);
  });

  test('ends with the key after its first', async () => {
    const { ran } = open();
    await userEvent.keyboard('gas');
    expect(ran).toEqual(['one', 'snooze']);
  });
});

test('no key has two commands in a group', () => {
  for (const lines of Object.values(SHORTCUTS)) {
    const keys = Object.values<object>(lines).flatMap((line) =>
      Array.isArray(line) ? [] : Object.values(line).flat(),
    );
    expect(keys).toEqual([...new Set(keys)]);
  }
});
