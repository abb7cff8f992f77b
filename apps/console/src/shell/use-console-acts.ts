import { languages } from '@voltdeck/contract/languages';
import { chooseLanguage, language, languageNames } from '../language.ts';
import { phrase } from '../phrases.ts';
import { useGo, useMayGo } from '../session/use-go.ts';
import type { OfferedAct } from '../ui/offered-acts.ts';
import { chooseAppearance, chooseSize, sizes, usePreferences } from './preferences.ts';
import { useFullscreen } from './use-fullscreen.ts';

export type ConsoleDialogs = {
  onSettings: () => void;
  onProfile: () => void;
  onChangePassword: () => void;
  onSignOutElsewhere: () => void;
  onLogout: () => void;
  onKeys: () => void;
};

const appearances = { dark: 'shell.darkMode', light: 'shell.lightMode', system: 'shell.system' } as const;

/** Acts available on every page: those of the top bar and the account menu. */
export function useConsoleActs(dialogs: ConsoleDialogs): OfferedAct[] {
  const { size, appearanceChoice } = usePreferences();
  const { isFull, toggle } = useFullscreen();
  const go = useGo();
  const mayGo = useMayGo();
  return [
    ...languages
      .filter((candidate) => candidate !== language)
      .map((candidate) => ({
        key: `language ${candidate}`,
        label: phrase('search.language', { name: languageNames[candidate] }),
        onClick: () => chooseLanguage(candidate),
      })),
    ...(['dark', 'light', 'system'] as const)
      .filter((choice) => choice !== appearanceChoice)
      .map((choice) => ({
        key: `appearance ${choice}`,
        label: phrase('search.appearance', { name: phrase(appearances[choice]) }),
        onClick: () => chooseAppearance(choice),
      })),
    ...sizes
      .filter((other) => other !== size)
      .map((other) => ({
        key: `size ${other}`,
        label: phrase('search.size', { name: phrase(`shell.size.${other}`) }),
        onClick: () => chooseSize(other),
      })),
    {
      key: 'fullscreen',
      label: phrase(isFull ? 'shell.leaveFullscreen' : 'shell.fullscreen'),
      onClick: () => void toggle(),
    },
    { key: 'settings', label: phrase('shell.settings'), onClick: dialogs.onSettings },
    { key: 'keys', label: phrase('keys.title'), onClick: dialogs.onKeys },
    ...(mayGo('home')
      ? [{ key: 'first-steps', label: phrase('shell.firstSteps'), onClick: () => go('home', { steps: true }) }]
      : []),
    { key: 'profile', label: phrase('shell.profile'), onClick: dialogs.onProfile },
    { key: 'password', label: phrase('shell.changePassword'), onClick: dialogs.onChangePassword },
    { key: 'elsewhere', label: phrase('shell.signOutElsewhere'), onClick: dialogs.onSignOutElsewhere },
    { key: 'logout', label: phrase('shell.logout'), onClick: dialogs.onLogout },
  ];
}
