import { addConfig, type Config, editConfig, listConfigs } from '@voltdeck/contract/settings';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { needsValue, sentConfig } from './config-form-body.ts';
import styles from './settings.module.css';

type Props = { config: Config | null; open: boolean; onClose: () => void; onSaved: (config: Config) => void };

/** Adds or changes a parameter. The server never sends a secret's value, so its field is empty. */
export default function ConfigFormDrawer({ config, open, onClose, onSaved }: Props) {
  const [isTypedShown, setTypedShown] = useState(false);
  const isKept = config?.secret === true && config.hasValue;
  return (
    <RouteForm
      route={addConfig}
      change={editConfig}
      record={config}
      given={config === null ? {} : { id: config.id }}
      title={config === null ? phrase('settings.add') : phrase('settings.editTitle', { name: config.name })}
      submitLabel={phrase(config === null ? 'settings.add' : 'settings.save')}
      fields={{
        name: { label: 'settings.name' },
        key: {
          label: 'settings.key',
          kind: 'code',
          hint: config?.builtIn ? 'settings.builtInKey' : 'settings.keyHint',
          fixedIf: () => config?.builtIn ?? false,
        },
        value: {
          label: 'settings.value',
          kind: 'code-lines',
          rows: 3,
          from: ({ secret, value }) => (secret ? '' : value),
          requiredIf: ({ secret }) => needsValue(config, secret ?? false),
          checkedWith: ['secret'],
          hint: ({ secret }) => (!isKept ? undefined : phrase(secret ? 'settings.keepSecret' : 'settings.newSecret')),
          className: ({ secret }) => (secret && !isTypedShown ? (styles.masked ?? '') : ''),
          below: ({ secret }) =>
            secret ? (
              <p>
                <Checkbox checked={isTypedShown} onChange={(event) => setTypedShown(event.target.checked)}>
                  {phrase('settings.showTyped')}
                </Checkbox>
              </p>
            ) : null,
        },
        secret: { label: 'settings.secret', hint: 'settings.secretHint' },
        public: { label: 'settings.public', hint: 'settings.publicHint', shownIf: ({ secret }) => !secret },
        remark: { label: 'settings.remark', rows: 2 },
      }}
      adjust={(body) => sentConfig(config, body)}
      fieldOf={{ 'config.key_taken': 'key', 'config.built_in': 'key' }}
      refreshes={[listConfigs]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}
