// Renderer: the mark of an alert of another program, and its text, which is data of others.
import type { ForeignAlert } from '../../../shared/settings/foreign-alerts.ts';
import { texts } from '../../../shared/text/texts.ts';

export const ForeignMark = () => (
  <span className="tag" title={texts.foreign.sub}>
    {texts.foreign.mark}
  </span>
);

/** The text as it came, then what could not be read. */
export const ForeignText = ({ foreign }: { readonly foreign: ForeignAlert }) => (
  <div className="foreign">
    {foreign.text !== '' && <p className="foreign-text">{foreign.text}</p>}
    {texts.foreign.problems(foreign).map((problem) => (
      <p key={problem} className="t2">
        {problem}
      </p>
    ))}
  </div>
);
