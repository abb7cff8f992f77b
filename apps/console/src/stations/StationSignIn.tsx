import { stationSignIns } from '@voltdeck/charging/states';
import { Alert, Form, Select } from 'antd';
import { phrase } from '../phrases.ts';
import type { StationValues } from './station-form-body.ts';
import styles from './stations.module.css';

/** What a station signs in with; without anything only with a warning, and by preference from named addresses alone. */
export function StationSignIn() {
  return (
    <>
      <Form.Item name="signIn" label={phrase('stations.signIn')} rules={[{ required: true }]}>
        <Select options={stationSignIns.map((value) => ({ value, label: phrase(`stations.signIn.${value}`) }))} />
      </Form.Item>
      <Form.Item<StationValues> noStyle dependencies={['signIn']}>
        {({ getFieldValue }) =>
          getFieldValue('signIn') === 'open' ? (
            <>
              <Alert type="warning" showIcon title={phrase('stations.openWarning')} className={styles.formAlert} />
              <Form.Item
                name="signInNetworks"
                label={phrase('stations.signInNetworks')}
                extra={phrase('stations.signInNetworksHint')}
              >
                <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ', '\n']} />
              </Form.Item>
            </>
          ) : null
        }
      </Form.Item>
    </>
  );
}
