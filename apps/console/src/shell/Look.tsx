import { App, ConfigProvider } from 'antd';
import type { Locale } from 'antd/es/locale/index';
import { type ReactNode, useMemo } from 'react';
import { language } from '../language.ts';
import type { Appearance } from '../ui/appearance.ts';
import { antdTheme, componentSizes } from '../ui/theme.ts';
import { usePreferences } from './preferences.ts';
import { ShowReactions } from './ShowReactions.tsx';

type Props = {
  locale: Locale;
  /** Overrides the chosen appearance. */
  appearance?: Appearance;
  children: ReactNode;
};

/** The component kit in our colours, sizes and language, with the holders of messages and dialogs. */
export function Look({ locale, appearance: fixed, children }: Props) {
  const { appearance: chosen, size, layout } = usePreferences();
  const appearance = fixed ?? chosen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme colour is read from the document
  const theme = useMemo(() => antdTheme(appearance, size), [appearance, size, layout.theme]);
  return (
    <ConfigProvider
      locale={locale}
      theme={theme}
      componentSize={componentSizes[size]}
      variant="outlined"
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
    >
      <App component={false}>
        <ShowReactions />
        {children}
      </App>
    </ConfigProvider>
  );
}

export async function loadLocale(): Promise<Locale> {
  if (language === 'en') return (await import('antd/es/locale/en_US')).default;
  const [{ default: locale }] = await Promise.all([import('antd/es/locale/zh_CN'), loadChineseCalendar()]);
  return locale;
}

/** The kit takes the names of months and days from the date library. */
async function loadChineseCalendar(): Promise<void> {
  const [{ default: dayjs }] = await Promise.all([import('dayjs'), import('dayjs/locale/zh-cn')]);
  dayjs.locale('zh-cn');
}
