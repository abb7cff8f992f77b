import { getInvoice, getInvoiceDocument, type Invoice, type InvoiceDetail } from '@voltdeck/contract/invoices';
import { subtractFen } from '@voltdeck/units/money';
import { Alert, Button, Drawer, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { useCan } from '../session/use-can.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { fetchFile } from '../ui/fetch-file.ts';
import { energyText, moneyText, nothingText, rateText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { invoiceTones } from '../ui/state-colours.ts';
import { useAttempt } from '../ui/use-attempt.ts';
import { InvoiceCalls } from './InvoiceCalls.tsx';
import styles from './invoices.module.css';

const widthPx = 640;

type Props = { invoice: Pick<Invoice, 'id' | 'number'>; open: boolean; onClose: () => void };

/** One invoice: where it stands and why, what it is over, the orders behind it, and what happened. */
export default function InvoiceDrawer({ invoice, open, onClose }: Props) {
  const answer = useAnswer(getInvoice, { params: { id: invoice.id } }, { enabled: open });
  const { attempt, isBusy, failure } = useAttempt();
  const shown = answer.data;
  return (
    <Drawer
      title={
        <>
          {phrase('invoices.invoice')} {invoice.number}{' '}
          {shown === undefined ? null : (
            <StateTag tone={invoiceTones[shown.state]}>{phrase(`invoice-step.${shown.step}`)}</StateTag>
          )}
        </>
      }
      open={open}
      onClose={onClose}
      size={widthPx}
      destroyOnHidden
      styles={{ wrapper: { maxWidth: '100vw' } }}
      footer={
        shown?.hasDocument === true ? (
          <div className={styles.foot}>
            {failure === null ? null : <span role="alert">{failure}</span>}
            <Button
              type="primary"
              loading={isBusy}
              onClick={() => void attempt(() => fetchFile(getInvoiceDocument, { params: { id: shown.id } }))}
            >
              {phrase('invoices.download')}
            </Button>
          </div>
        ) : null
      }
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : shown === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Detail invoice={shown} />
      )}
    </Drawer>
  );
}

function Detail({ invoice }: { invoice: InvoiceDetail }) {
  const can = useCan();
  return (
    <>
      <Notes invoice={invoice} />
      <h3 className={styles.head}>{phrase('invoices.taxes')}</h3>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">{phrase('invoices.part')}</th>
            <th scope="col">{`${phrase('invoices.net')} (¥)`}</th>
            <th scope="col">{`${phrase('invoices.tax')} (¥)`}</th>
            <th scope="col">{`${phrase('invoices.amount')} (¥)`}</th>
          </tr>
        </thead>
        <tbody>
          <Part
            title={`${phrase('invoices.electricity')} ${rateText(invoice.electricityRateBp)}`}
            grossFen={invoice.electricityFen}
            taxFen={invoice.electricityTaxFen}
          />
          <Part
            title={`${phrase('invoices.serviceFee')} ${rateText(invoice.serviceRateBp)}`}
            grossFen={invoice.serviceFen}
            taxFen={invoice.serviceTaxFen}
          />
          <Part title={phrase('invoices.amount')} grossFen={invoice.amountFen} taxFen={invoice.taxFen} />
        </tbody>
      </table>
      {invoice.reddenedFen === 0 ? null : (
        <p>
          {phrase('invoices.standing', {
            taken: moneyText(invoice.reddenedFen),
            rest: moneyText(subtractFen(invoice.amountFen, invoice.reddenedFen)),
          })}
        </p>
      )}
      <h3 className={styles.head}>{phrase('invoices.buyer')}</h3>
      <dl className={styles.facts}>
        <Fact title={phrase('invoices.header')}>{invoice.title}</Fact>
        <Fact title={phrase('invoices.titleKind')}>{phrase(`invoice-title-kind.${invoice.titleKind}`)}</Fact>
        <Fact title={phrase('invoices.taxNumber')}>{invoice.taxNumber}</Fact>
        <Fact title={phrase('invoices.email')}>{invoice.email}</Fact>
        <Fact title={phrase('invoices.address')}>{invoice.address}</Fact>
        <Fact title={phrase('invoices.titlePhone')}>{invoice.phone}</Fact>
        <Fact title={phrase('invoices.bank')}>{invoice.bank}</Fact>
        <Fact title={phrase('invoices.bankAccount')}>{invoice.bankAccount}</Fact>
        <Fact title={phrase('invoices.customer')}>{invoice.nickname ?? phrase('invoices.noHolder')}</Fact>
        <Fact title={phrase('invoices.seller')}>{invoice.agentName ?? phrase('invoices.platform')}</Fact>
        <Fact title={phrase('invoices.type')}>{phrase(`invoice-type.${invoice.type}`)}</Fact>
        <Fact title={phrase('invoices.invoiceNumber')}>{invoice.invoiceNumber ?? ''}</Fact>
        <Fact title={phrase('invoices.externalCode')}>{invoice.externalCode}</Fact>
        <Fact title={phrase('invoices.remark')}>{invoice.remark}</Fact>
      </dl>
      {invoice.related.length === 0 ? null : (
        <>
          <h3 className={styles.head}>{phrase('invoices.related')}</h3>
          <ul className={styles.list}>
            {invoice.related.map(({ id, number, kind, isPart, amountFen, issuedAt, state, step }) => (
              <li key={id}>
                {isPart ? phrase('invoices.redPart') : phrase(`invoice-kind.${kind}`)}{' '}
                <ScreenLink screen="invoiceList" query={{ number }}>
                  {number}
                </ScreenLink>{' '}
                <StateTag tone={invoiceTones[state]}>{phrase(`invoice-step.${step}`)}</StateTag> {moneyText(amountFen)}
                {issuedAt === null ? null : (
                  <>
                    {' · '}
                    <Instant at={issuedAt} exact />
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      <h3 className={styles.head}>{phrase('invoices.ordersBehind')}</h3>
      <Orders orders={invoice.orders} />
      <h3 className={styles.head}>{phrase('invoices.timeline')}</h3>
      <ol className={styles.list}>
        {invoice.timeline.map(({ at, event, userName, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added
          <li key={index}>
            <Instant at={at} exact /> {phrase(`invoice-event.${event}`)}
            {userName === null ? null : ` · ${userName}`}
            {text === '' ? null : ` · ${text}`}
          </li>
        ))}
      </ol>
      {can('log.read') ? (
        <>
          <h3 className={styles.head}>{phrase('invoices.calls')}</h3>
          <InvoiceCalls invoice={invoice} />
        </>
      ) : null}
    </>
  );
}

function Notes({ invoice }: { invoice: InvoiceDetail }) {
  const { personStep, doubt, attention, rejectionReason, failure, delivery, deliveryProblem, email } = invoice;
  return (
    <div className={styles.notes}>
      {personStep === null ? null : (
        <Alert type="warning" showIcon title={phrase('invoices.personStep', { text: personStep })} />
      )}
      {doubt === null ? null : <Alert type="warning" showIcon title={phrase(`invoice-doubt.${doubt}`)} />}
      {attention === null || attention === 'person_needed' ? null : (
        <Alert type="warning" showIcon title={phrase(`invoice-attention.${attention}`)} />
      )}
      {rejectionReason === null ? null : (
        <Alert
          type="error"
          showIcon
          title={phrase('invoices.pair', { name: phrase('invoices.rejectionReason'), text: rejectionReason })}
        />
      )}
      {failure === null ? null : (
        <Alert
          type="error"
          showIcon
          title={phrase('invoices.pair', { name: phrase('invoices.failure'), text: failure })}
        />
      )}
      {delivery === null ? null : (
        <p>
          {phrase('invoices.pair', { name: phrase('invoices.delivery'), text: phrase(`invoice-delivery.${delivery}`) })}{' '}
          ({email}){deliveryProblem === null ? null : ` · ${deliveryProblem}`}
        </p>
      )}
    </div>
  );
}

function Part({ title, grossFen, taxFen }: { title: string; grossFen: number; taxFen: number }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>{yuanText(grossFen - taxFen)}</td>
      <td>{yuanText(taxFen)}</td>
      <td>{yuanText(grossFen)}</td>
    </tr>
  );
}

function Orders({ orders }: { orders: InvoiceDetail['orders'] }) {
  return (
    <ul className={styles.list}>
      {orders.map(({ orderId, number, siteName, endedAt, energyWh, amountFen }) => (
        <li key={orderId}>
          <ScreenLink screen="orderListDetailHistory" query={{ id: orderId }}>
            {number}
          </ScreenLink>{' '}
          · {siteName} · {endedAt === null ? nothingText : <Instant at={endedAt} exact />} · {energyText(energyWh)} kWh
          · {moneyText(amountFen)}
        </li>
      ))}
    </ul>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children === '' ? nothingText : children}</dd>
    </div>
  );
}
