import { Form } from 'antd';
import { createContext, type ReactElement, useContext } from 'react';

/** Of the field around: its name, and what its schema says of a part of its value, in words. */
type FieldAround = { name: string; faultAt: (path: string) => string | null };

const Around = createContext<FieldAround>({ name: '', faultAt: () => null });
export const FieldAroundRows = Around.Provider;

type Props = {
  /** Where the part is within the field's value. */
  path: readonly (string | number)[];
  className?: string;
  /** Gets `id`, `value` and `onChange` from the form. */
  children: ReactElement;
};

/** One part of a field that has several. What the form or the server finds wrong with it stands at it. */
export function RowItem({ path, className, children }: Props) {
  const { name, faultAt } = useContext(Around);
  return (
    <Form.Item
      name={[name, ...path]}
      // The field around owns the value: a row that goes away must leave the others as they are.
      preserve
      className={className ?? ''}
      style={{ marginBottom: 0 }}
      rules={[
        {
          validator: () => {
            const fault = faultAt(path.join('.'));
            return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
          },
        },
      ]}
    >
      {children}
    </Form.Item>
  );
}
