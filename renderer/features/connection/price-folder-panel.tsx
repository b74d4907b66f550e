// Renderer, connection: what is to be done about the folders of own prices of this profile, whole.
import { texts } from '../../../shared/text/texts.ts';
import { Block } from '../../ui/panel-head.tsx';
import { folderHeading, folderLines, RestartButton, usePriceFolder } from '../profiles/index.ts';

/** Draws nothing where there is nothing to do. */
export function PriceFolderPanel() {
  const folder = usePriceFolder();
  return folder === null ? null : (
    <Block heading={texts.ownPrices.folders} sub={folderHeading(folder)}>
      <div className="folder-problems">
        <ul>
          {[...new Set(folderLines(folder))].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {folder.more > 0 && <p className="t3">{texts.ownPrices.more(folder.more)}</p>}
        {folder.added.length > 0 && <RestartButton />}
      </div>
    </Block>
  );
}
