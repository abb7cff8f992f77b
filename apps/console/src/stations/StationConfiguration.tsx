import type { CommandOutcome, ConfigurationEntry } from '@voltdeck/charging/station-command';
import { Button, Input, Select } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { DisabledReason } from '../ui/DisabledReason.tsx';
import { nothingText } from '../ui/figures.ts';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { outcomeView } from './outcome.ts';
import styles from './stations.module.css';
import upkeep from './upkeep.module.css';
import type { Commands } from './use-commands.ts';

const keysMax = 100;
const keyCharsMax = 50;
const valueCharsMax = 500;

type Read = { entries: readonly ConfigurationEntry[]; unknownKeys: readonly string[] };

/** The station's own parameters: reads all or some, and changes those that it lets us change. */
export function StationConfiguration({ because, send }: { because: string | undefined; send: Commands['send'] }) {
  const [keys, setKeys] = useState<string[]>([]);
  const [read, setRead] = useState<Read | null>(null);
  const [part, setPart] = useState('');
  const [edited, setEdited] = useState<{ key: string; value: string } | null>(null);
  const [failed, setFailed] = useState<{ key: string; because: string } | null>(null);
  const edit = (next: { key: string; value: string } | null) => {
    setFailed(null);
    setEdited(next);
  };
  const ask = async () => {
    const outcome = await send(phrase('command.read-configuration'), { kind: 'read-configuration', keys });
    if (outcome?.kind === 'configuration') setRead({ entries: outcome.entries, unknownKeys: outcome.unknownKeys });
  };
  const write = async ({ key, value }: { key: string; value: string }) => {
    const outcome = await send(phrase('stations.configurationAsked', { key }), {
      kind: 'write-configuration',
      key: key.trim(),
      value,
    });
    if (outcome?.kind !== 'accepted' && outcome?.kind !== 'reboot-required') {
      setFailed({ key, because: outcome === null ? phrase('stations.seeAnswers') : outcomeText(outcome) });
      return;
    }
    edit(null);
    setRead((now) =>
      now === null
        ? now
        : { ...now, entries: now.entries.map((entry) => (entry.key === key ? { ...entry, value } : entry)) },
    );
  };
  const shown = (read?.entries ?? []).filter(({ key }) => key.toLowerCase().includes(part.trim().toLowerCase()));
  const isNew = edited !== null && !shown.some(({ key }) => key === edited.key);
  return (
    <div className={upkeep.configuration}>
      <div className={upkeep.configurationBar}>
        <Select
          mode="tags"
          open={false}
          suffixIcon={null}
          value={keys}
          maxCount={keysMax}
          tokenSeparators={[',', ' ', '\n']}
          onChange={(texts: string[]) =>
            setKeys(texts.map((text) => text.trim().slice(0, keyCharsMax)).filter((text) => text !== ''))
          }
          aria-label={phrase('stations.configurationKeys')}
          placeholder={phrase('stations.configurationAll')}
          className={upkeep.grows ?? ''}
        />
        <DisabledReason because={because} onClick={() => void ask()}>
          {phrase('command.read-configuration')}
        </DisabledReason>
        <DisabledReason because={because} onClick={() => edit({ key: '', value: '' })}>
          {phrase('command.write-configuration')}
        </DisabledReason>
      </div>
      {edited !== null && isNew ? (
        <div className={upkeep.configurationBar}>
          <Input
            aria-label={phrase('stations.configurationKey')}
            placeholder={phrase('stations.configurationKey')}
            maxLength={keyCharsMax}
            value={edited.key}
            onChange={(event) => edit({ ...edited, key: event.target.value })}
            className={styles.mono}
            style={{ width: 220 }}
          />
          <Input
            aria-label={phrase('stations.configurationValue')}
            placeholder={phrase('stations.configurationValue')}
            maxLength={valueCharsMax}
            value={edited.value}
            onChange={(event) => edit({ ...edited, value: event.target.value })}
            className={`${styles.mono} ${upkeep.grows}`}
          />
          <Button type="primary" disabled={edited.key.trim() === ''} onClick={() => void write(edited)}>
            {phrase('stations.configurationSave')}
          </Button>
          <Button onClick={() => edit(null)}>{phrase('shell.cancel')}</Button>
          <SettingFailed because={failed?.because} />
        </div>
      ) : null}
      {read === null ? null : (
        <>
          {read.entries.length > 10 ? (
            <Input.Search
              allowClear
              aria-label={phrase('stations.configurationFind')}
              placeholder={phrase('stations.configurationFind')}
              value={part}
              onChange={(event) => setPart(event.target.value)}
            />
          ) : null}
          <ScrollRegion label={phrase('stations.configuration')}>
            <table className={styles.figures}>
              <thead>
                <tr>
                  <th scope="col">{phrase('stations.configurationKey')}</th>
                  <th scope="col">{phrase('stations.configurationValue')}</th>
                  <th scope="col">
                    <span className="for-readers">{phrase('list.actions')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ key, value, readonly: isFixed }) => (
                  <tr key={key}>
                    <td className={styles.mono}>{key}</td>
                    <td className={`${styles.mono} ${styles.wraps}`}>
                      {edited?.key === key ? (
                        <>
                          <Input
                            aria-label={key}
                            autoFocus
                            maxLength={valueCharsMax}
                            value={edited.value}
                            onChange={(event) => edit({ key, value: event.target.value })}
                            onPressEnter={() => void write(edited)}
                          />
                          <SettingFailed because={failed?.key === key ? failed.because : undefined} />
                        </>
                      ) : (
                        (value ?? nothingText)
                      )}
                    </td>
                    <td className={styles.portActs}>
                      {edited?.key === key ? (
                        <>
                          <Button size="small" type="primary" onClick={() => void write(edited)}>
                            {phrase('stations.configurationSave')}
                          </Button>
                          <Button size="small" onClick={() => edit(null)}>
                            {phrase('shell.cancel')}
                          </Button>
                        </>
                      ) : (
                        <DisabledReason
                          size="small"
                          because={isFixed ? phrase('stations.configurationFixed') : because}
                          onClick={() => edit({ key, value: value ?? '' })}
                        >
                          {phrase('stations.configurationChange')}
                        </DisabledReason>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          {read.unknownKeys.length === 0 ? null : (
            <p className={styles.quiet}>
              {phrase('stations.configurationUnknown', { keys: read.unknownKeys.join(', ') })}
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** The specification's words (section 8), with what the station answered. */
function SettingFailed({ because }: { because: string | undefined }) {
  if (because === undefined) return null;
  return (
    <p role="alert" className={upkeep.failed}>
      {phrase('stations.settingFailed', { because })}
    </p>
  );
}

function outcomeText(outcome: CommandOutcome): string {
  const { kind, details } = outcomeView(outcome);
  return [phrase(`command-outcome.${kind}`), ...(details === null ? [] : [details])].join(' · ');
}
