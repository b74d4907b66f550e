// Renderer, profiles: the dialog that adds a profile by address and key: paste, test, keep.
import { useEffect, useRef, useState } from 'react';
import type { ConnectionTest } from '../../../shared/channels/profiles.ts';
import { optionalText, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Environment } from '../../../shared/wire/keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checks } from './checks.tsx';
import { type ClipboardOutcome, clearClipboard, type KeyTrace } from './clipboard.ts';
import { ConnectionForm, type ConnectionInput } from './connection-form.tsx';
import { KeepProfileForm, NothingToKeep, type SavedProfile } from './keep-profile-form.tsx';
import { useProfiles } from './open-profile.ts';
import { AddedFoot, AddedStep, Step } from './step.tsx';
import { useConnectionTest } from './use-connection-test.ts';

const messages = texts.addKey;

export function AddKey({ environment: first, onClose }: { environment: Environment; onClose: () => void }) {
  const profiles = useProfiles();
  const [environment, setEnvironment] = useState(first);
  const [saved, setSaved] = useState<SavedProfile | null>(null);
  const trace = useRef<KeyTrace | null>(null);
  const { forget, ...connectionTest } = useConnectionTest();
  const { result, busy } = connectionTest;
  const test = async (input: ConnectionInput) => {
    const answer = await connectionTest.run({ environment, ...input });
    if (answer?.ok === true && answer.value.ending !== null && input.key !== null)
      trace.current = { prefix: answer.value.prefix ?? '', ending: answer.value.ending, length: input.key.length };
    return answer;
  };
  return (
    <Dialog heading={messages.heading[environment]} className="steps" onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <ConnectionForm
        environment={environment}
        onEnvironment={(next) => {
          setEnvironment(next);
          forget();
        }}
        result={result}
        isBusy={busy}
        onTest={test}
        onReplace={forget}
      />
      <Step number={2} heading={messages.tryIt} why={messages.tryWhy} state={testStepState(result, busy)}>
        <Checks connectionTest={connectionTest} onStop={connectionTest.stop} />
      </Step>
      {saved !== null ? (
        <SavedStep
          saved={saved}
          ending={result?.ending ?? null}
          environment={environment}
          trace={trace.current}
          onClose={onClose}
        />
      ) : profiles !== null && isDrafted(result) ? (
        <KeepProfileForm
          key={result.draft}
          result={result}
          profiles={profiles}
          environment={environment}
          onSaved={setSaved}
          onClose={onClose}
        />
      ) : (
        <NothingToKeep onClose={onClose} />
      )}
    </Dialog>
  );
}

const isDrafted = (result: ConnectionTest | null): result is ConnectionTest & { readonly draft: string } =>
  result !== null && result.draft !== null;

/** A failed test is not a finished step. */
const testStepState = (result: ConnectionTest | null, busy: boolean): 'off' | 'on' | 'done' =>
  result === null ? (busy ? 'on' : 'off') : result.checks.every(({ outcome }) => outcome === 'good') ? 'done' : 'on';

interface SavedProps {
  readonly saved: SavedProfile;
  readonly ending: string | null;
  readonly environment: Environment;
  readonly trace: KeyTrace | null;
  readonly onClose: () => void;
}

function SavedStep({ saved: { name, warning }, ending, environment, trace, onClose }: SavedProps) {
  const profiles = useProfiles();
  const key = profiles?.profiles.find((one) => one.name === name)?.key ?? null;
  return (
    <>
      <AddedStep number={3} name={name}>
        <div role="status" className="t2">
          {ending !== null && (
            <p>
              {key?.tier === 'session'
                ? messages.savedSession(ending)
                : messages.savedKey(ending, optionalText(key?.tier_label ?? null))}
            </p>
          )}
          {warning !== null && <p className="form-warning">{textOf(warning)}</p>}
          {trace !== null && <ClipboardLine trace={trace} />}
        </div>
      </AddedStep>
      <AddedFoot name={name} environment={environment} onClose={onClose} />
    </>
  );
}

const clipboardTexts = texts.profiles.clipboard;

/** Reports whether the pasted key was removed from the clipboard. */
function ClipboardLine({ trace }: { trace: KeyTrace }) {
  const [outcome, setOutcome] = useState<ClipboardOutcome | null>(null);
  useEffect(() => {
    void clearClipboard(trace, false).then(setOutcome);
  }, [trace]);
  if (outcome === null) return null;
  return (
    <p>
      {clipboardTexts[outcome]}{' '}
      {outcome === 'ask' && (
        <button type="button" className="link" onClick={() => void clearClipboard(trace, true).then(setOutcome)}>
          {clipboardTexts.clear}
        </button>
      )}
    </p>
  );
}
