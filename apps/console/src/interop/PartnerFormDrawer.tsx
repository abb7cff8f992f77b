import {
  changePartner,
  createPartner,
  getPartner,
  listPartners,
  type Partner,
  type PartnerDetail,
  partnerProfile,
  partnerPushes,
  type ShownKeys,
} from '@voltdeck/contract/partners';
import * as z from 'zod/mini';
import { phrase } from '../phrases.ts';
import { RouteForm } from '../ui/form/RouteForm.tsx';
import { InterfaceUrlsField } from './InterfaceUrlsField.tsx';

type SavedPartner = PartnerDetail & { inbound?: ShownKeys; outbound?: ShownKeys };

type Props = {
  /** Null for a new one. */
  partner: Partner | null;
  open: boolean;
  onClose: () => void;
  onSaved: (partner: SavedPartner) => void;
};

const key = z.optional(z.string().check(z.maxLength(64)));
const { spelling, extras, identifierLengthMax, lowerCaseSig } = partnerProfile.shape;
const own = {
  /** One address or network a line. */
  addresses: z.optional(z.string().check(z.maxLength(4_000))),
  ourOperatorSecret: key,
  ourSigSecret: key,
  ourDataSecret: key,
  ourDataSecretIv: key,
  theirOperatorSecret: key,
  theirSigSecret: key,
  theirDataSecret: key,
  theirDataSecretIv: key,
  spelling: z.optional(spelling),
  energyDecimals: z.optional(z.int().check(z.gte(2), z.lte(4))),
  extras: z.optional(extras),
  identifierLengthMax: z.optional(identifierLengthMax),
  lowerCaseSig: z.optional(lowerCaseSig),
};

const profileFields = ['spelling', 'energyDecimals', 'extras', 'identifierLengthMax', 'lowerCaseSig'] as const;
const linesOf = (text: string) => text.split(/[\s,;，；、]+/).filter((line) => line !== '');

/** Adds a partner from the data sheet that it sent, or changes one. */
export default function PartnerFormDrawer({ partner, open, onClose, onSaved }: Props) {
  const isNew = () => partner === null;
  return (
    <RouteForm
      route={createPartner}
      change={changePartner}
      record={partner}
      own={own}
      title={partner === null ? phrase('interop.addTitle') : phrase('interop.changeTitle', { name: partner.name })}
      submitLabel={phrase(partner === null ? 'interop.add' : 'interop.save')}
      initial={{
        role: 'demand',
        environment: 'test',
        pushing: true,
        pulling: true,
        pushes: partnerPushes.filter((push) => push !== 'power'),
        ratePerSecond: 10,
      }}
      fields={{
        operatorId: {
          label: 'interop.operatorId',
          hint: 'interop.operatorIdHint',
          heading: 'interop.identityPart',
          kind: 'code',
        },
        name: { label: 'interop.name' },
        role: { label: 'interop.role', word: (role) => phrase(`partner-role.${role}`) },
        creditCode: { label: 'interop.creditCode', kind: 'code' },
        platformName: { label: 'interop.platformName', isShort: true },
        dockingCode: { label: 'interop.dockingCode', isShort: true },
        contact: { label: 'interop.contact', heading: 'interop.contactPart', isShort: true },
        contactPhone: { label: 'interop.contactPhone', isShort: true },
        servicePhone: { label: 'interop.servicePhone', isShort: true },
        secondServicePhone: { label: 'interop.secondServicePhone', isShort: true },
        address: { label: 'interop.address', kind: 'text' },
        remark: { label: 'interop.remark', rows: 2 },
        environment: {
          label: 'interop.environment',
          heading: 'interop.connectionPart',
          word: (environment) => phrase(`partner-environment.${environment}`),
        },
        baseUrl: { label: 'interop.baseUrl', hint: 'interop.baseUrlHint', kind: 'code' },
        interfaceUrls: {
          label: 'interop.interfaceUrls',
          hint: 'interop.interfaceUrlsHint',
          control: <InterfaceUrlsField />,
        },
        addresses: {
          label: 'interop.allowedAddresses',
          hint: 'interop.allowedAddressesHint',
          rows: 2,
          kind: 'long-text',
          from: ({ allowedAddresses }) => allowedAddresses.join('\n'),
        },
        ratePerSecond: { label: 'interop.ratePerSecond' },
        ourOperatorSecret: {
          label: 'interop.operatorSecret',
          heading: 'interop.ourKeysPart',
          hint: 'interop.ourKeysHint',
          shownIf: isNew,
          kind: 'code',
        },
        ourSigSecret: { label: 'interop.sigSecret', shownIf: isNew, kind: 'code' },
        ourDataSecret: { label: 'interop.dataSecret', shownIf: isNew, kind: 'code' },
        ourDataSecretIv: { label: 'interop.dataSecretIv', shownIf: isNew, kind: 'code' },
        theirOperatorSecret: {
          label: 'interop.operatorSecret',
          heading: 'interop.theirKeysPart',
          hint: 'interop.theirKeysHint',
          shownIf: isNew,
          kind: 'code',
        },
        theirSigSecret: { label: 'interop.sigSecret', shownIf: isNew, kind: 'code' },
        theirDataSecret: { label: 'interop.dataSecret', shownIf: isNew, kind: 'code' },
        theirDataSecretIv: { label: 'interop.dataSecretIv', shownIf: isNew, kind: 'code' },
        spelling: {
          label: 'interop.spelling',
          heading: 'interop.profilePart',
          word: (value) => phrase(`partner-spelling.${value}`),
          from: ({ profile }) => profile.spelling,
        },
        energyDecimals: {
          label: 'interop.energyDecimals',
          from: ({ profile }) => profile.energyDecimals,
        },
        extras: {
          label: 'interop.extras',
          word: (value) => phrase(`partner-extras.${value}`),
          from: ({ profile }) => profile.extras,
        },
        identifierLengthMax: {
          label: 'interop.identifierLengthMax',
          hint: 'interop.identifierLengthMaxHint',
          from: ({ profile }) => profile.identifierLengthMax,
        },
        lowerCaseSig: { label: 'interop.lowerCaseSig', from: ({ profile }) => profile.lowerCaseSig },
        pushing: { label: 'interop.pushing', heading: 'interop.pushPart' },
        pushes: {
          label: 'interop.pushes',
          options: partnerPushes.map((push) => ({ value: push, label: phrase(`partner-push.${push}`) })),
        },
        pulling: { label: 'interop.pulling' },
        tariffId: { label: 'interop.tariff', hint: 'interop.tariffHint', heading: 'interop.moneyPart' },
        startBalanceMinFen: { label: 'interop.startBalanceMin', hint: 'interop.startBalanceMinHint' },
      }}
      adjust={({ addresses, ...body }) => ({
        ...body,
        allowedAddresses: linesOf(addresses ?? ''),
        profile: Object.fromEntries(
          profileFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
        ),
        inbound: keysOf(body.ourOperatorSecret, body.ourSigSecret, body.ourDataSecret, body.ourDataSecretIv),
        outbound: keysOf(body.theirOperatorSecret, body.theirSigSecret, body.theirDataSecret, body.theirDataSecretIv),
        ...(partner === null ? {} : { version: partner.version }),
      })}
      fieldOf={{
        'partner.code_taken': 'operatorId',
        'partner.own_code': 'operatorId',
        'partner.code_in_use': 'operatorId',
      }}
      refreshes={[listPartners, getPartner]}
      open={open}
      onClose={onClose}
      onSaved={onSaved}
    />
  );
}

type Entered = string | undefined;

/** What was entered; empty fields are generated. */
function keysOf(operatorSecret: Entered, sigSecret: Entered, dataSecret: Entered, dataSecretIv: Entered) {
  const entered = Object.entries({ operatorSecret, sigSecret, dataSecret, dataSecretIv });
  return Object.fromEntries(entered.filter(([, value]) => value !== undefined && value !== '')) as Partial<ShownKeys>;
}
