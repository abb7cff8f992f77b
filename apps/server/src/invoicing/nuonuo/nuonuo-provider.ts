import type { InvoiceDoubt } from '@voltdeck/contract/invoices';
import { invoiceForm as words } from '@voltdeck/phrases/zh-CN/invoice-form';
import { dayMs, type Instant, instant, shanghaiDateTime } from '@voltdeck/units/instant';
import { formatYuan } from '@voltdeck/units/money';
import * as z from 'zod/mini';
import type {
  InvoiceLine,
  InvoiceProvider,
  IssuedName,
  IssueRequest,
  ProviderState,
  Seller,
} from '../invoice-provider.ts';
import type { NuonuoSettings } from '../invoicing-settings.ts';
import { createNuonuoClient, type NuonuoAnswer, type NuonuoWorld } from './nuonuo-client.ts';

/** The interfaces of 诺税通 SaaS, version 2.0. */
const methods = {
  issue: { kind: 'issue', method: 'nuonuo.OpeMplatform.requestBillingNew' },
  query: { kind: 'query', method: 'nuonuo.OpeMplatform.queryInvoiceResult' },
  again: { kind: 'sign_again', method: 'nuonuo.OpeMplatform.reInvoice' },
  void: { kind: 'void', method: 'nuonuo.OpeMplatform.invoiceCancellation' },
  deliver: { kind: 'deliver', method: 'nuonuo.OpeMplatform.deliveryInvoice' },
  askRed: { kind: 'red_letter', method: 'nuonuo.OpeMplatform.saveInvoiceRedConfirm' },
  queryRed: { kind: 'query_red_letter', method: 'nuonuo.OpeMplatform.queryInvoiceRedConfirm' },
} as const;

/** Every invoice is asked about until it is issued, also over a failure of weeks. */
const issuedWithinMs = 60 * dayMs;
const duplicate = 'E9106';
const notFound = 'E9500';
/** Fully digital invoices: 数电普票 and 数电专票. */
const lineOfType = { ordinary: 'pc', special: 'bs' } as const;
/** 开票有误 and 销售折让. Nuonuo knows four reasons; ours is in words and stands in the remark. */
const redReasons = { all: '2', part: '4' } as const;

const some = z.optional(z.nullable(z.coerce.string()));
const found = z.object({
  serialNo: some,
  orderNo: some,
  status: z.coerce.string(),
  statusMsg: some,
  failCause: some,
  pdfUrl: some,
  invoiceTime: z.optional(z.nullable(z.coerce.number())),
  invoiceCode: some,
  invoiceNo: some,
  allElectronicInvoiceNumber: some,
  orderAmount: some,
});
type Found = z.output<typeof found>;
const foundList = z.array(found);
const redForms = z.object({
  list: z.optional(
    z.nullable(
      z.array(
        z.object({
          billId: some,
          blueElecInvoiceNumber: some,
          billStatus: z.coerce.string(),
          billMessage: some,
          invoiceSerialNum: some,
          redInvoiceNumber: some,
        }),
      ),
    ),
  ),
});

/**
 * Nuonuo fails an invoice whose drawer is not signed in at the tax bureau, or has to show their face there, and names that
 * as the cause. The documentation has no code for it, so it is known by its words.
 */
const personWords = /登录|登陆|认证|扫码|人脸|刷脸|短信|实名|二维码/u;

/** 诺诺 (Nuonuo), which issues fully digital invoices at the tax bureau. Asking twice for one orderNo issues one. */
export function createNuonuoProvider(settings: NuonuoSettings, world: NuonuoWorld): InvoiceProvider {
  const { now } = world;
  const client = createNuonuoClient(settings, world);
  const call = (name: keyof typeof methods, request: IssueRequest, content: object) => {
    const { kind, method } = methods[name];
    return client.call({ kind, number: request.requestNumber }, method, request.seller.taxNumber, content);
  };

  /** What Nuonuo knows of a request; null where it has never heard of it. */
  const find = async (request: IssueRequest): Promise<Found | null | Unknown> => {
    const answer = await call('query', request, { orderNos: [request.requestNumber] });
    if (answer.outcome === 'refused') return answer.code === notFound ? null : unknown(answer.text);
    if (answer.outcome === 'unknown') return answer;
    const list = z.safeParse(foundList, answer.result ?? []);
    if (!list.success) return unknown('a query was answered in another shape');
    return rowOf(list.data, 'orderNo', request.requestNumber);
  };
  const query = async (request: IssueRequest): Promise<ProviderState> => {
    const known = await find(request);
    if (known === null) return { outcome: 'absent' };
    return 'outcome' in known ? known : stateOf(known, request, now());
  };
  const again = async (request: IssueRequest): Promise<ProviderState> => {
    const asked = await call('again', request, { orderno: request.requestNumber });
    if (asked.outcome === 'answered') return { outcome: 'pending' };
    return asked.outcome === 'refused' ? query(request) : asked;
  };
  const issueBlue = async (request: IssueRequest): Promise<ProviderState> => {
    const answer = await call('issue', request, { order: orderOf(request, now()) });
    if (answer.outcome === 'answered') return { outcome: 'pending' };
    if (answer.outcome === 'unknown') return answer;
    // An earlier request whose answer was lost may have got through, whatever this one was refused for.
    const known = await query(request);
    if (known.outcome === 'absent' && answer.code !== duplicate) return { outcome: 'refused', text: answer.text };
    // One that waits for a person is taken up again once somebody says that the step is done.
    return known.outcome === 'needs_person_step' ? again(request) : known;
  };

  return {
    name: 'nuonuo',
    lacks(seller) {
      const needed = ['taxNumber', 'address', 'tel', 'drawer', 'electricityTaxCode', 'serviceTaxCode'] as const;
      return needed.filter((field) => seller[field] === '');
    },
    issue: (request) => (request.kind === 'red' ? askForRed(request) : issueBlue(request)),
    query: (request) => (request.kind === 'red' ? queryRed(request) : query(request)),
    signAgain: again,
    async void(request, { serial, code, invoiceNumber }) {
      const content = { invoiceId: serial ?? '', invoiceCode: code ?? '', invoiceNo: invoiceNumber ?? '' };
      const answer = await call('void', request, content);
      if (answer.outcome === 'answered') return { outcome: 'voiding' };
      if (answer.outcome === 'unknown') return answer;
      // It may be on its way already, from an attempt whose answer was lost.
      const known = await query(request);
      const isUnderWay = known.outcome === 'voiding' || known.outcome === 'voided';
      return isUnderWay ? known : { outcome: 'refused', text: answer.text };
    },
    async document(request, issued) {
      const url = request.kind === 'red' ? await redDocument(request, issued) : await documentOf(request);
      return url === null ? null : client.fetchDocument(request.requestNumber, url);
    },
    async deliver(request, { code, invoiceNumber }) {
      const answer = await call('deliver', request, {
        taxnum: request.seller.taxNumber,
        invoiceCode: code ?? '',
        invoiceNum: invoiceNumber ?? '',
        mail: request.buyer.email,
      });
      if (answer.outcome === 'answered') return { outcome: 'sent' };
      return answer.outcome === 'refused' ? { outcome: 'refused', text: answer.text } : answer;
    },
  };

  async function documentOf(request: IssueRequest): Promise<string | null> {
    const known = await find(request);
    return known === null || 'outcome' in known ? null : (known.pdfUrl ?? null);
  }

  async function redDocument(request: IssueRequest, { serial }: IssuedName): Promise<string | null> {
    if (serial === null) return null;
    const answer = await call('query', request, { serialNos: [serial] });
    const list = answer.outcome === 'answered' ? z.safeParse(foundList, answer.result ?? []) : null;
    return list?.success === true ? (rowOf(list.data, 'serialNo', serial)?.pdfUrl ?? null) : null;
  }

  /** A red letter begins as a form that the buyer may have to confirm; once confirmed, the bureau issues it by itself. */
  async function askForRed(request: IssueRequest): Promise<ProviderState> {
    const { seller, buyer, type, original, takesPartOf } = request;
    const answer = await call('askRed', request, {
      billId: request.requestNumber,
      blueInvoiceLine: lineOfType[type],
      applySource: '0',
      blueElecInvoiceNumber: original?.invoiceNumber ?? '',
      sellerTaxNo: seller.taxNumber,
      sellerName: seller.name,
      buyerTaxNo: buyer.taxNumber,
      buyerName: buyer.name,
      redReason: takesPartOf === null ? redReasons.all : redReasons.part,
      extensionNumber: seller.terminal,
      ...(takesPartOf === null
        ? {}
        : { detail: request.lines.map((line) => partOf(line, takesPartOf.indexOf(line.part) + 1, seller)) }),
    });
    if (answer.outcome === 'answered') return { outcome: 'pending' };
    if (answer.outcome === 'unknown') return answer;
    // The form may be there from an attempt whose answer was lost.
    const known = await queryRed(request);
    return known.outcome === 'absent' ? { outcome: 'refused', text: answer.text } : known;
  }

  async function queryRed(request: IssueRequest): Promise<ProviderState> {
    const answer = await call('queryRed', request, { identity: '0', billId: request.requestNumber });
    if (answer.outcome !== 'answered') return unknownOf(answer);
    const forms = z.safeParse(redForms, answer.result ?? {});
    if (!forms.success) return unknown('a query of a red letter was answered in another shape');
    const form = rowOf(forms.data.list ?? [], 'billId', request.requestNumber);
    if (form === null) return { outcome: 'absent' };
    const blue = form.blueElecInvoiceNumber || null;
    if (blue !== null && blue !== request.original?.invoiceNumber) {
      return unknown(`a red letter over ${blue} instead of ${request.original?.invoiceNumber}`, 'bad_number');
    }
    const { billStatus, billMessage, redInvoiceNumber, invoiceSerialNum } = form;
    if (redInvoiceNumber != null && redInvoiceNumber !== '') {
      return {
        outcome: 'issued',
        serial: invoiceSerialNum ?? null,
        code: null,
        invoiceNumber: redInvoiceNumber,
        issuedAt: now(),
      };
    }
    // 01 nobody has to confirm, 04 both have, 15 being asked for.
    if (billStatus === '01' || billStatus === '04' || billStatus === '15') return { outcome: 'pending' };
    if (billStatus === '02') return { outcome: 'needs_person_step', text: words['invoice-form.buyerConfirms'] };
    if (billStatus === '03') return { outcome: 'needs_person_step', text: words['invoice-form.sellerConfirms'] };
    return { outcome: 'refused', text: billMessage || `${words['invoice-form.redForm']} ${billStatus}` };
  }
}

type Unknown = Extract<ProviderState, { outcome: 'unknown' }>;

function unknown(detail: string, doubt?: InvoiceDoubt): Unknown {
  return { outcome: 'unknown', detail, ...(doubt === undefined ? {} : { doubt }) };
}

function unknownOf(answer: Exclude<NuonuoAnswer, { outcome: 'answered' }>): Unknown {
  return answer.outcome === 'unknown' ? answer : unknown(answer.text);
}

/** The row of that name, or the only one where rows have none: another one's row is another one's invoice. */
function rowOf<Column extends string, Row extends { [Name in Column]?: string | null | undefined }>(
  rows: readonly Row[],
  column: Column,
  name: string,
): Row | null {
  const [only] = rows;
  const isNameless = rows.length === 1 && (only?.[column] ?? '') === '';
  return rows.find((row) => row[column] === name) ?? (isNameless ? (only ?? null) : null);
}

/** When it was issued by Nuonuo's clock, or by ours where Nuonuo names no time or one that cannot be. */
function issuedAtOf(invoiceTime: number | null | undefined, at: Instant): Instant {
  const isLikely = invoiceTime != null && Math.abs(at - invoiceTime) <= issuedWithinMs;
  return isLikely ? instant(Math.trunc(invoiceTime)) : at;
}

/** The statuses of queryInvoiceResult. */
function stateOf(known: Found, request: IssueRequest, at: Instant): ProviderState {
  const number = known.allElectronicInvoiceNumber || known.invoiceNo || null;
  const text = known.failCause || known.statusMsg || known.status;
  switch (known.status) {
    case '20':
      return { outcome: 'pending' };
    case '21':
      return { outcome: 'signing', invoiceNumber: number };
    case '22':
      return personWords.test(text) ? { outcome: 'needs_person_step', text } : { outcome: 'refused', text };
    case '24':
      return { outcome: 'signing_refused', text, invoiceNumber: number };
    case '31':
      return { outcome: 'voiding' };
    case '3':
      return { outcome: 'voided' };
    case '2':
      if (number === null) return unknown('an issued invoice has no number');
      if (known.orderAmount != null && Number(known.orderAmount) !== request.amountFen / 100) {
        const detail = `issued over ${known.orderAmount} instead of ${formatYuan(request.amountFen)}`;
        return unknown(detail, 'other_amount');
      }
      return {
        outcome: 'issued',
        serial: known.serialNo ?? null,
        code: known.invoiceCode || null,
        invoiceNumber: number,
        issuedAt: issuedAtOf(known.invoiceTime, at),
      };
    default:
      return unknown(`status ${known.status}`);
  }
}

function orderOf(request: IssueRequest, at: Instant) {
  const { seller, buyer } = request;
  return {
    orderNo: request.requestNumber,
    invoiceDate: shanghaiDateTime(at),
    invoiceType: '1',
    invoiceLine: lineOfType[request.type],
    // Nuonuo sends nothing by itself; `deliver` asks it to.
    pushMode: '-1',
    buyerName: buyer.name,
    buyerTaxNum: buyer.taxNumber,
    buyerAddress: buyer.address,
    buyerTel: buyer.phone,
    buyerAccount: `${buyer.bank} ${buyer.bankAccount}`.trim(),
    salerTaxNum: seller.taxNumber,
    salerAddress: seller.address,
    salerTel: seller.tel,
    salerAccount: `${seller.bank} ${seller.bankAccount}`.trim(),
    clerk: seller.drawer,
    checker: seller.checker,
    payee: seller.payee,
    extensionNumber: seller.terminal,
    remark: [request.number, request.remark].filter((text) => text !== '').join(' '),
    invoiceDetail: request.lines.map((line) => goodsOf(line, request)),
  };
}

/** A line of a red letter over a part, by the number of the line that it takes back: amounts without a quantity. */
function partOf({ part, netFen, taxFen, rateBp }: InvoiceLine, blueDetailIndex: number, seller: Seller) {
  return {
    blueDetailIndex: String(blueDetailIndex),
    goodsName: words[`invoice-form.goods.${part}`],
    goodsCode: part === 'electricity' ? seller.electricityTaxCode : seller.serviceTaxCode,
    taxRate: String(rateBp / 10_000),
    taxExcludedAmount: formatYuan(netFen),
    taxAmount: formatYuan(taxFen),
  };
}

function goodsOf({ part, energyWh, grossFen, netFen, taxFen, rateBp }: InvoiceLine, { seller }: IssueRequest) {
  return {
    goodsName: words[`invoice-form.goods.${part}`],
    goodsCode: part === 'electricity' ? seller.electricityTaxCode : seller.serviceTaxCode,
    withTaxFlag: '1',
    ...(energyWh === 0
      ? {}
      : {
          unit: words['invoice-form.unit'],
          num: (energyWh / 1000).toFixed(3),
          price: ((grossFen * 10) / energyWh).toFixed(8),
        }),
    taxRate: String(rateBp / 10_000),
    taxIncludedAmount: formatYuan(grossFen),
    taxExcludedAmount: formatYuan(netFen),
    tax: formatYuan(taxFen),
    invoiceLineProperty: '0',
  };
}
