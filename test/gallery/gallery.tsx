// Gallery: the page: every scene in the dark and the light theme, beside each other, or one theme alone.
import '../../renderer/zod-config.ts';
import '../../renderer/theme/tokens.css';
import '../../renderer/theme/fonts.css';
import '../../renderer/theme/base.css';
import '../../renderer/theme/forms.css';
import '../../renderer/theme/table.css';
import './gallery.css';
import { createRoot } from 'react-dom/client';
import { preferences } from '../../renderer/store/preferences.ts';
import { SCENES, type Scene } from './scenes.tsx';
import { Window } from './window.tsx';

const THEMES = ['dark', 'light'] as const;

const Scenes = () =>
  SCENES.map((scene) => (
    <section key={scene.name} className="gallery-scene" aria-label={scene.name}>
      <h2 className="t3">{scene.name}</h2>
      <Shown {...scene} />
    </section>
  ));

const Shown = ({ element, snapshot, handlers, isWindow = false }: Scene) => (
  <div className={isWindow ? 'gallery-window' : 'gallery-part'}>
    <Window snapshot={snapshot} handlers={handlers}>
      {element}
    </Window>
  </div>
);

const Themes = () =>
  THEMES.map((theme) => <iframe key={theme} className="gallery-theme" title={theme} src={`?theme=${theme}`} />);

const theme = THEMES.find((each) => each === new URLSearchParams(location.search).get('theme'));
if (theme !== undefined) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = preferences.read().density;
}
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root.');
createRoot(root).render(theme === undefined ? <Themes /> : <Scenes />);
