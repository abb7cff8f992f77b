import { listOrders, type Order, placeOrder } from '@voltdeck/contract/orders';
import { type Connector, getStation, listConnectors } from '@voltdeck/contract/stations';
import type { ConnectorId } from '@voltdeck/units/id';
import { Form, Input, Radio, Select } from 'antd';
import { call } from '../api/call.ts';
import { useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { FormDrawer } from '../ui/FormDrawer.tsx';
import { startRefusal } from './start-refusal.ts';
import styles from './stations.module.css';

type Values = { connectorId: ConnectorId; payer: 'card' | 'customer'; cardNumber?: string; customerPhone?: string };

type Props = {
  /** The ports to choose from; one is chosen already when there is only one that can. */
  ports: readonly Connector[];
  /** The port that was asked for. */
  chosen?: ConnectorId | undefined;
  open: boolean;
  onClose: () => void;
  onStarted: (order: Order, port: Connector | undefined) => void;
};

/** Starts a charge remotely on a card's or a customer's money. */
export default function StartChargeForm({ ports, chosen, open, onClose, onStarted }: Props) {
  const refresh = useRefresh();
  const startable = ports.filter((port) => startRefusal(port) === undefined);
  const only = chosen ?? (startable.length === 1 ? startable[0]?.id : undefined);
  return (
    <FormDrawer<Values, Order>
      as="dialog"
      title={phrase('stations.startTitle')}
      open={open}
      onClose={onClose}
      initial={{ payer: 'card', ...(only === undefined ? {} : { connectorId: only }) }}
      submitLabel={phrase('stations.startVerb')}
      submit={(values, idempotencyKey) =>
        call(placeOrder, {
          body: {
            connectorId: values.connectorId,
            ...(values.payer === 'card'
              ? { cardNumber: values.cardNumber?.trim() ?? '' }
              : { customerPhone: values.customerPhone?.trim() ?? '' }),
          },
          idempotencyKey,
          quiet: true,
        })
      }
      onDone={(order) => {
        void refresh(listOrders, listConnectors, getStation);
        onStarted(
          order,
          ports.find((port) => port.stationId === order.stationId && port.number === order.connectorNumber),
        );
      }}
    >
      <p className={styles.formIntro}>{phrase('stations.startIntro')}</p>
      <Form.Item
        name="connectorId"
        label={phrase('stations.port')}
        rules={[{ required: true, message: phrase('field.required') }]}
      >
        <Select
          options={ports.map((port) => {
            const because = startRefusal(port);
            const name = phrase('stations.portNamed', { station: port.stationName, number: port.number });
            return {
              value: port.id,
              label: because === undefined ? name : `${name} · ${because}`,
              disabled: because !== undefined,
            };
          })}
        />
      </Form.Item>
      <Form.Item name="payer" label={phrase('stations.payer')} required>
        <Radio.Group
          optionType="button"
          options={[
            { value: 'card', label: phrase('stations.byCard') },
            { value: 'customer', label: phrase('stations.byCustomer') },
          ]}
        />
      </Form.Item>
      <Form.Item noStyle shouldUpdate={(before: Values, after: Values) => before.payer !== after.payer}>
        {({ getFieldValue }) =>
          getFieldValue('payer') === 'card' ? (
            <Form.Item
              key="card"
              name="cardNumber"
              label={phrase('stations.cardNumber')}
              rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
            >
              <Input maxLength={20} className={styles.mono} />
            </Form.Item>
          ) : (
            <Form.Item
              key="customer"
              name="customerPhone"
              label={phrase('stations.customerPhone')}
              rules={[
                { required: true, message: phrase('field.required') },
                { pattern: /^\s*\d*\s*$/, message: phrase('field.phone_digits') },
                { pattern: /^\s*\S{11}\s*$/, message: phrase('field.phone_length') },
              ]}
            >
              <Input maxLength={11} inputMode="numeric" className={styles.mono} />
            </Form.Item>
          )
        }
      </Form.Item>
    </FormDrawer>
  );
}
