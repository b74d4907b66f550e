// Renderer: the last action on alerts, with Undo, in the status bar of every page.
import { texts } from '../../../shared/text/texts.ts';
import { useActNote } from '../../store/act-note.ts';

export function ActNote() {
  const note = useActNote();
  return (
    <div className="act-note" role="status">
      {note !== null && (
        <>
          <span className="ell">{note.message}</span>
          {note.undo !== null && (
            <button type="button" className="btn line" onClick={note.undo}>
              {texts.alerts.acts.undo}
            </button>
          )}
        </>
      )}
    </div>
  );
}
