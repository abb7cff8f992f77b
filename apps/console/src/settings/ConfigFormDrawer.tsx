import { addConfig, type Config, editConfig, listConfigs } from '@voltdeck/contract/settings';
import { Checkbox, Form, Input, Switch } from 'antd';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { bodyOf, type ConfigValues, changeOf, needsValue, valuesOf } from './config-form-body.ts';
import styles from './settings.module.css';

const nameMax = 64;
const valueMax = 4_000;
const remarkMax = 200;

type Props = { config: Config | null; open: boolean; onClose: () => void; onSaved: (config: Config) => void };

/** Add a parameter, or change `config`. */
export default function ConfigFormDrawer({ config, open, onClose, onSaved }: Props) {
  const refresh = useRefresh();
  const [form] = Form.useForm<ConfigValues>();
  const secret = Form.useWatch('secret', form) ?? config?.secret ?? false;
  const [isTypedShown, setTypedShown] = useState(false);
  const required = { required: true, message: phrase('field.required') };
  const isKept = config?.secret === true && config.hasValue && secret;
  return (
    <FormDrawer<ConfigValues, Config>
      title={config === null ? phrase('settings.add') : phrase('settings.editTitle', { name: config.name })}
      open={open}
      onClose={onClose}
      form={form}
      {...(config === null ? {} : { initial: valuesOf(config) })}
      submitLabel={phrase(config === null ? 'settings.add' : 'settings.save')}
      submit={(values, idempotencyKey) =>
        config === null
          ? call(addConfig, { body: bodyOf(values), idempotencyKey, quiet: true })
          : call(editConfig, { body: changeOf(config, values), quiet: true })
      }
      fieldOf={{ 'config.key_taken': 'key', 'config.built_in': 'key' }}
      onDone={(saved) => {
        void refresh(listConfigs);
        onSaved(saved);
      }}
    >
      <Form.Item name="name" label={phrase('settings.name')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={nameMax} />
      </Form.Item>
      <Form.Item
        name="key"
        label={phrase('settings.key')}
        extra={phrase(config?.builtIn ? 'settings.builtInKey' : 'settings.keyHint')}
        rules={[required, { pattern: /^\s*[A-Za-z][A-Za-z0-9_.-]{0,63}\s*$/, message: phrase('field.bad_format') }]}
      >
        <Input maxLength={64} disabled={config?.builtIn ?? false} className={styles.mono} />
      </Form.Item>
      <Form.Item
        name="value"
        label={phrase('settings.value')}
        dependencies={['secret']}
        extra={
          isKept ? phrase('settings.keepSecret') : needsValue(config, secret) ? phrase('settings.newSecret') : undefined
        }
        rules={needsValue(config, secret) ? [required] : []}
        className={secret && !isTypedShown ? styles.masked : ''}
      >
        <Input.TextArea
          autoSize={{ minRows: 3, maxRows: 14 }}
          maxLength={valueMax}
          showCount={!secret}
          autoComplete="off"
          spellCheck={false}
          className={styles.mono}
        />
      </Form.Item>
      {secret ? (
        <Form.Item>
          <Checkbox checked={isTypedShown} onChange={(event) => setTypedShown(event.target.checked)}>
            {phrase('settings.showTyped')}
          </Checkbox>
        </Form.Item>
      ) : null}
      <Form.Item
        name="secret"
        label={phrase('settings.secret')}
        valuePropName="checked"
        required
        extra={phrase('settings.secretHint')}
      >
        <Switch />
      </Form.Item>
      <Form.Item
        name="public"
        label={phrase('settings.public')}
        valuePropName="checked"
        required
        extra={phrase('settings.publicHint')}
        hidden={secret}
      >
        <Switch />
      </Form.Item>
      <Form.Item name="remark" label={phrase('settings.remark')}>
        <Input.TextArea rows={2} maxLength={remarkMax} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
