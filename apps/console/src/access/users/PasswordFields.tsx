import { Form, Input, Radio } from 'antd';
import { phrase } from '../../phrases.ts';
import { passwordWays } from './user-form-body.ts';
import styles from './users.module.css';

/** Specification section 5. */
const passwordLengthMin = 6;
const passwordLengthMax = 256;

/** A first password: made by the server and told once, or typed here. */
export function PasswordFields() {
  const way = Form.useWatch('passwordWay');
  return (
    <>
      <Form.Item
        name="passwordWay"
        label={phrase('users.initialPassword')}
        required
        extra={phrase('users.mustChangeHint')}
      >
        <Radio.Group
          optionType="button"
          options={passwordWays.map((value) => ({ value, label: phrase(`users.password.${value}`) }))}
        />
      </Form.Item>
      {way === 'typed' ? (
        <Form.Item
          name="password"
          label={phrase('users.typedPassword')}
          rules={[
            { required: true, message: phrase('field.required') },
            { min: passwordLengthMin, message: phrase('field.too_short', { min: passwordLengthMin }) },
          ]}
        >
          <Input.Password autoComplete="new-password" maxLength={passwordLengthMax} className={styles.mono} />
        </Form.Item>
      ) : null}
    </>
  );
}
