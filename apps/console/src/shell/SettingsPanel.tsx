import { CheckOutlined } from '@ant-design/icons';
import { App, Button, ColorPicker, Drawer, Segmented, Switch } from 'antd';
import { type ReactNode, useId, useRef, useState } from 'react';
import { phrase } from '../phrases.ts';
import { appearanceChoices } from '../ui/appearance.ts';
import { defaultThemeColour, presetColours } from '../ui/theme-shades.ts';
import {
  forgetLayout,
  keepLayout,
  type LayoutSettings,
  layoutSettingsKey,
  readLayout,
  settingsDelayMs,
} from './layout-settings.ts';
import { chooseAppearance, chooseSize, sizes, tryLayout, usePreferences } from './preferences.ts';
import styles from './settings-panel.module.css';

const widthPx = 360;

const appearanceLabels = { light: 'shell.lightMode', dark: 'shell.darkMode', system: 'shell.system' } as const;
const switches = [
  ['tagsView', 'shell.showTabs'],
  ['fixedHeader', 'shell.fixedHeader'],
  ['sidebarLogo', 'shell.showLogo'],
  ['showSettings', 'shell.showSettings'],
] as const satisfies readonly (readonly [keyof LayoutSettings, string])[];

function isSaved(layout: LayoutSettings): boolean {
  const kept = readLayout(localStorage.getItem(layoutSettingsKey));
  return Object.entries(kept).every(([name, value]) => layout[name as keyof LayoutSettings] === value);
}

/** Specification section 2, "Settings panel on the right". Choices take effect at once and are kept after saving. */
export default function SettingsPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { layout, appearanceChoice, size } = usePreferences();
  const { message } = App.useApp();
  const [busy, setBusy] = useState<'save' | 'reset' | null>(null);
  const isBusy = useRef(false);

  const afterDelay = (kind: 'save' | 'reset', act: () => void) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(kind);
    const text = phrase(kind === 'save' ? 'shell.savingLayout' : 'shell.resettingLayout');
    message.loading({ key: layoutSettingsKey, content: text, duration: 0 });
    setTimeout(() => {
      isBusy.current = false;
      setBusy(null);
      act();
    }, settingsDelayMs);
  };
  const save = () => {
    keepLayout(layout);
    afterDelay('save', () =>
      message.success({ key: layoutSettingsKey, content: phrase('shell.layoutSaved'), duration: 3 }),
    );
  };
  const reset = () => {
    forgetLayout();
    afterDelay('reset', () => location.reload());
  };

  return (
    <Drawer
      title={phrase('shell.settings')}
      open={open}
      onClose={onClose}
      size={widthPx}
      styles={{ wrapper: { maxWidth: '100vw' }, mask: { background: 'transparent' } }}
      footer={
        <div className={styles.buttons}>
          <Button type="primary" loading={busy === 'save'} disabled={busy === 'reset'} onClick={save}>
            {phrase('shell.saveLayout')}
          </Button>
          <Button loading={busy === 'reset'} disabled={busy === 'save'} onClick={reset}>
            {phrase('shell.resetLayout')}
          </Button>
        </div>
      }
    >
      <Part title={phrase('shell.appearance')}>
        <Segmented
          block
          value={appearanceChoice}
          options={appearanceChoices.map((value) => ({ value, label: phrase(appearanceLabels[value]) }))}
          onChange={chooseAppearance}
          aria-label={phrase('shell.appearance')}
        />
      </Part>
      <Part title={phrase('shell.size')}>
        <Segmented
          block
          value={size}
          options={sizes.map((value) => ({ value, label: phrase(`shell.size.${value}`) }))}
          onChange={chooseSize}
          aria-label={phrase('shell.size')}
        />
      </Part>
      <ThemePart theme={layout.theme} />
      <Part title={phrase('shell.layout')}>
        {switches.map(([name, label]) => (
          <SwitchLine
            key={name}
            label={phrase(label)}
            isOn={layout[name]}
            onChange={(isOn) => tryLayout({ [name]: isOn })}
          />
        ))}
        <p className={styles.note}>{phrase('shell.showSettingsNote')}</p>
        {isSaved(layout) ? null : (
          <p className={styles.note} role="status">
            {phrase('shell.layoutUnsaved')}
          </p>
        )}
      </Part>
    </Drawer>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ThemePart({ theme }: { theme: string }) {
  return (
    <Part title={phrase('shell.themeColour')}>
      <div className={styles.colours}>
        {presetColours.map((colour) => (
          <button
            key={colour}
            type="button"
            className={styles.colour}
            style={{ background: colour }}
            aria-pressed={colour === theme}
            aria-label={
              colour === defaultThemeColour ? phrase('shell.themeDefault') : phrase('shell.themePreset', { colour })
            }
            title={colour}
            onClick={() => tryLayout({ theme: colour })}
          >
            {colour === theme ? <CheckOutlined /> : null}
          </button>
        ))}
        <ColorPicker
          value={theme}
          disabledAlpha
          format="hex"
          onChangeComplete={(colour) => tryLayout({ theme: colour.toHexString().slice(0, 7).toLowerCase() })}
        >
          <Button aria-label={`${phrase('shell.themeOwn')} ${theme}`} title={phrase('shell.themeOwn')}>
            <span className={styles.own} style={{ background: theme }} />
            {theme}
          </Button>
        </ColorPicker>
      </div>
      <p className={styles.note}>{phrase('shell.themeNote')}</p>
    </Part>
  );
}

function SwitchLine({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId();
  return (
    <div className={styles.line}>
      <label htmlFor={id}>{label}</label>
      <Switch id={id} checked={isOn} onChange={onChange} />
    </div>
  );
}
