import './ui/tokens.css';
import type { screens } from '@voltdeck/contract/screens';
import { access as englishAccess } from '@voltdeck/phrases/en/access';
import { access as chineseAccess } from '@voltdeck/phrases/zh-CN/access';
import { createRoot } from 'react-dom/client';
import { entryOf } from './access/entry.ts';
import { LoginPage } from './access/LoginPage.tsx';
import { StartFailed } from './access/StartFailed.tsx';
import { askForSession } from './access/session-request.ts';
import { showApplicationTitle } from './access/title.ts';
import { readToken } from './api/token.ts';
import { language } from './language.ts';
import { beginMap } from './overview/begin-map.ts';
import { learnPhrases, loadCorePhrases, phrase } from './phrases.ts';
import { takeScreenToken } from './shell/screen-token.ts';
import { applyAppearance } from './ui/appearance.ts';

document.documentElement.lang = language;
applyAppearance();
learnPhrases(language === 'en' ? englishAccess : chineseAccess);

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');
const root = createRoot(container);

/** Written out, so that the first code bundles no schemas; the type keeps it in step. */
const homePath: (typeof screens)['home']['path'] = '/home';

/** Whether the console begins with the map, which takes longest of all that it may begin with. */
const beginsWithMap = () =>
  (location.pathname === homePath || location.pathname === '/') && !new URLSearchParams(location.search).has('view');

function showConsole(): void {
  // Ask for the session while the code loads.
  const session = askForSession();
  if (beginsWithMap()) {
    void session.then((answer) => {
      if (answer.kind === 'session') beginMap(answer.user);
    });
  }
  // Not awaited at the top level: the console's chunks import this one and would wait for it.
  Promise.all([import('./shell/console.tsx'), loadCorePhrases()])
    .then(([{ renderConsole }]) => renderConsole(root, session))
    .catch((failure: unknown) => {
      console.error(failure);
      root.render(<StartFailed />);
    });
}

takeScreenToken();
const entry = entryOf({ path: location.pathname, search: location.search, hasToken: readToken() !== null });
if (entry.address !== undefined) history.replaceState(null, '', entry.address);

if (entry.kind === 'sign-in') {
  showApplicationTitle(phrase('access.title'));
  root.render(
    <LoginPage
      onSignedIn={() => {
        history.replaceState(null, '', entry.redirect);
        showConsole();
      }}
    />,
  );
} else {
  showConsole();
}
