// Renderer, profiles: a profile over a folder of prices of one's own: looked at first, line by line, then added; today's or a replay.
import { type FormEvent, useState } from 'react';
import type { PriceReport } from '../../../shared/channels/profiles.ts';
import { ProfileNameSchema, profileNameFrom } from '../../../shared/settings/profiles.ts';
import { useServices } from '../../services.ts';
import { profileText } from '../../text/profiles.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { AddedFoot } from './added-foot.tsx';
import { returnTo } from './dialog-request.ts';
import { useProfiles } from './open-profile.ts';
import { PriceFindings } from './price-findings.tsx';
import { Step } from './step.tsx';

const PATH = { className: 'mono', maxLength: 1024 } as const;
const SHORT = { inputMode: 'numeric', maxLength: 10 } as const;
const trimmed = (set: (text: string) => void) => (text: string) => set(text.trim());
const messages = profileText.prices;

/** What was refused, under the field that it is about. */
interface Problem {
  readonly at: 'folder' | 'editorial';
  readonly message: string;
}

export function AddPrices({ onClose }: { onClose: () => void }) {
  const { intents } = useServices();
  const [folder, setFolder] = useState('');
  const [editorial, setEditorial] = useState('');
  const [report, setReport] = useState<PriceReport | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const checkFolder = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const path = folder.trim();
    setProblem(path === '' ? { at: 'folder', message: messages.noFolder } : null);
    if (path === '') return;
    setBusy(true);
    const answer = await intents.ask('profiles.check_prices', {
      folder: path,
      editorial: editorial.trim() === '' ? null : editorial.trim(),
    });
    setBusy(false);
    if (!answer.ok) setProblem({ at: 'folder', message: answer.error });
    else if (answer.value.refused === null) setReport(answer.value);
    else setProblem({ at: answer.value.refused_at ?? 'folder', message: answer.value.refused });
  };
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    setReport(null);
    setProblem(null);
  };
  return (
    <Dialog heading={messages.heading} className="steps" returnTo={returnTo} onClose={onClose}>
      <p className="steps-why">{messages.why}</p>
      <Step number={1} heading={messages.folder} why={messages.folderForm} state={report === null ? 'on' : 'done'}>
        <form onSubmit={checkFolder}>
          <Field
            {...PATH}
            label={messages.folder}
            placeholder={messages.folderHint}
            value={folder}
            problem={problem?.at === 'folder' ? problem.message : null}
            onChange={change(setFolder)}
          />
          <Field
            {...PATH}
            label={messages.editorial}
            value={editorial}
            problem={problem?.at === 'editorial' ? problem.message : null}
            onChange={change(setEditorial)}
          />
          <p className="t3">{messages.editorialForm}</p>
          <div className="form-row">
            <button type="submit" className={report === null ? 'btn primary' : 'btn line'} aria-disabled={busy}>
              {busy ? messages.checking : messages.check}
            </button>
            <span role="status" className="t2">
              {busy && messages.checkingFolder(folder.trim())}
            </span>
          </div>
        </form>
      </Step>
      {report !== null && <PriceFindings report={report} />}
      <Keep report={report} onClose={onClose} />
    </Dialog>
  );
}

/** The day as a timestamp, where it is one between the first and the last. */
function timestampOf(day: string, { from, to }: PriceReport): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || from === null || to === null || day < from || day > to) return null;
  const at = Date.parse(`${day}T00:00:00.000Z`);
  // A day that there is not, like 30 February, is another one when it is written again.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day ? null : new Date(at).toISOString();
}

function Keep({ report, onClose }: { report: PriceReport | null; onClose: () => void }) {
  const { intents } = useServices();
  const profiles = useProfiles();
  const taken = profiles?.profiles.map((one) => one.name) ?? [];
  const [typed, setName] = useState<string | null>(null);
  const [replays, setReplays] = useState(false);
  const [day, setDay] = useState('');
  const [speed, setSpeed] = useState('3600');
  const [busy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const name =
    typed ??
    (report === null ? '' : profileNameFrom(report.folder.split(/[\\/]/).findLast((part) => part !== '') ?? '', taken));
  const wrongName =
    added !== null || report === null || ProfileNameSchema.safeParse(name).success
      ? taken.includes(name) && added === null
        ? profileText.key.nameTaken(name)
        : null
      : profileText.key.nameForm;
  const from = report === null ? null : timestampOf(day, report);
  const times = /^\d{1,6}$/.test(speed) ? Number(speed) : 0;
  const wrongDay =
    report !== null && replays && (day !== '' || isTried) && from === null
      ? messages.fromWrong(report.from ?? '', report.to ?? '')
      : null;
  const wrongSpeed = replays && (times < 1 || times > 100_000) ? messages.speedWrong : null;
  const isReady =
    report !== null && wrongName === null && name !== '' && (!replays || (from !== null && wrongSpeed === null));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (!isReady || report === null || busy) return;
    setBusy(true);
    const replay = replays && from !== null ? { from, speed: times } : null;
    const { folder, editorial } = report;
    const answer = await intents.ask('profiles.add', { name, source: { kind: 'prices', folder, editorial, replay } });
    setBusy(false);
    if (answer.ok) setAdded(name);
    else setProblem(answer.error);
  };
  if (added !== null)
    return (
      <>
        <Step number={2} heading={profileText.key.saved(added)} why="" state="done">
          <p role="status" className="spoken">
            {profileText.key.saved(added)}
          </p>
        </Step>
        <AddedFoot name={added} environment="production" onClose={onClose} />
      </>
    );
  return (
    <form onSubmit={submit}>
      <Step number={2} heading={profileText.key.name} why="" state={report === null ? 'off' : 'on'}>
        {report !== null && (
          <>
            <Field
              label={profileText.key.name}
              isSpoken
              maxLength={32}
              value={name}
              problem={wrongName}
              note={problem}
              onChange={setName}
            />
            <label className="form-check">
              <input type="checkbox" checked={replays} onChange={() => setReplays(!replays)} />
              <span>
                {messages.replay} <span className="t3">{messages.replayWhy}</span>
              </span>
            </label>
            {replays && (
              <div className="form-row">
                <Field
                  {...SHORT}
                  label={messages.from}
                  placeholder={messages.fromHint}
                  value={day}
                  problem={wrongDay}
                  onChange={trimmed(setDay)}
                />
                <Field
                  {...SHORT}
                  label={messages.speed}
                  value={speed}
                  problem={wrongSpeed}
                  onChange={trimmed(setSpeed)}
                />
              </div>
            )}
            {busy && <p className="t2">{messages.adding}</p>}
          </>
        )}
      </Step>
      <footer className="steps-foot">
        <span className="grow" />
        <button type="button" className="btn" onClick={onClose}>
          {profileText.key.notNow}
        </button>
        <button type="submit" className="btn primary" aria-disabled={!isReady || busy}>
          {busy ? profileText.status.opening : messages.add}
        </button>
      </footer>
    </form>
  );
}
