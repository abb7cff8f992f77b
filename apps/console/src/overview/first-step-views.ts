import { liveOrderStates, type OrderState } from '@voltdeck/charging/states';
import { type FirstStep, type FirstSteps, firstStepsOf } from '@voltdeck/contract/first-steps';
import { type Permission, permissions } from '@voltdeck/contract/permissions';
import type { ScreenCode } from '@voltdeck/contract/screens';
import { type PhraseKey, phrase } from '../phrases.ts';
import { opened, type Place, place } from '../session/place.ts';

/** One way to do a step. */
export type StepWay = { label: string; place: Place; may: Permission };

export type StepView = {
  step: FirstStep;
  isDone: boolean;
  title: string;
  text: string;
  ways: readonly StepWay[];
  /** The step that comes first, where this one cannot be done yet. */
  after: FirstStep | null;
};

/** What must be there before a step can be done. */
const needs: Readonly<Partial<Record<FirstStep, FirstStep>>> = {
  station: 'site',
  connection: 'station',
  charge: 'connection',
};

const isLive = (state: OrderState) => (liveOrderStates as readonly OrderState[]).includes(state);

/** The steps as the list shows them, each leading to its form with what is known filled in. */
export function stepViews({ of, steps, known }: FirstSteps): readonly StepView[] {
  const isDone = (wanted: FirstStep) => steps.some(({ step, isDone }) => step === wanted && isDone);
  const inList: readonly FirstStep[] = firstStepsOf[of];
  return steps.map(({ step, isDone: isStepDone }) => {
    const first = needs[step];
    const before = first === 'station' && of === 'agent' ? 'handover' : first;
    const isBlocked = before !== undefined && inList.includes(before) && !isDone(before);
    return {
      step,
      isDone: isStepDone,
      title: phrase(`overview.step.${step}`),
      text: isStepDone ? phrase(`overview.stepDone.${step}`) : textOf(step, known),
      ways: waysOf(step, known),
      after: isBlocked ? before : null,
    };
  });
}

function textOf(step: FirstStep, known: FirstSteps['known']): string {
  switch (step) {
    case 'tariff':
      return phrase(known.unpricedStationId === null ? 'overview.stepText.tariff' : 'overview.stepText.tariffUnused');
    case 'connection':
      return known.awaitedStation === null
        ? phrase('overview.stepText.connection')
        : phrase('overview.stepText.connectionAwaited', { name: known.awaitedStation.name });
    case 'money':
      return phrase(known.hasPayer ? 'overview.stepText.moneyRecharge' : 'overview.stepText.money');
    case 'charge':
      return phrase(
        known.order !== null && isLive(known.order.state)
          ? 'overview.stepText.chargeRunning'
          : known.pluggedConnectorId === null
            ? 'overview.stepText.charge'
            : 'overview.stepText.chargePlugged',
      );
    case 'station':
    case 'site':
    case 'staff':
    case 'handover':
      return phrase(`overview.stepText.${step}`);
  }
}

function waysOf(step: FirstStep, known: FirstSteps['known']): readonly StepWay[] {
  const way = (label: PhraseKey, to: Place, may: Permission): StepWay => ({ label: phrase(label), place: to, may });
  switch (step) {
    case 'site':
      return [way('overview.do.addSite', opened('plotList', 'add', {}), 'site.edit')];
    case 'tariff':
      return known.unpricedStationId === null
        ? [way('overview.do.addTariff', opened('rulesList', 'add', {}), 'tariff.edit')]
        : [
            way(
              'overview.do.chooseTariff',
              opened('deviceList', 'edit', { of: known.unpricedStationId }),
              'station.edit',
            ),
          ];
    case 'station':
      return [
        way(
          'overview.do.addStation',
          opened('deviceList', 'add', {
            siteId: known.siteId ?? undefined,
            cardTariffId: known.tariffId ?? undefined,
          }),
          'station.create',
        ),
      ];
    case 'handover':
      return [way('overview.do.showStations', place('deviceList'), 'station.read')];
    case 'connection':
      return [
        way(
          'overview.do.connect',
          known.awaitedStation === null
            ? place('deviceList', { online: false })
            : opened('deviceList', 'connection', { of: known.awaitedStation.id }),
          'station.read',
        ),
      ];
    case 'staff':
      return [way('overview.do.addUser', opened('user', 'add', {}), 'user.edit')];
    case 'money':
      return known.hasPayer ? [rechargeWay()] : payerWays();
    case 'charge':
      return [chargeWay()];
  }

  function rechargeWay(): StepWay {
    const { cardId, customerId } = known;
    const target = cardId !== null ? { cardId } : customerId !== null ? { customerId } : {};
    return way('overview.do.recharge', place('recharge', target), 'recharge.create');
  }
  function payerWays(): StepWay[] {
    return [
      way('overview.do.issueCard', opened('cardList', 'add', {}), 'card.edit'),
      way('overview.do.addCustomer', opened('registerUser', 'add', {}), 'customer.edit'),
    ];
  }
  function chargeWay(): StepWay {
    const { order, pluggedConnectorId } = known;
    if (order !== null && isLive(order.state)) {
      return way('overview.do.showOrder', place('orderListDetailReal', { id: order.id }), 'order.read');
    }
    const payer = { cardId: known.cardId ?? undefined, customerId: known.customerId ?? undefined };
    const to =
      pluggedConnectorId === null
        ? place('portList')
        : opened('portList', 'start', { of: pluggedConnectorId, ...payer });
    return way('overview.do.start', to, 'order.start');
  }
}

/** Which of a step's ways the user may go. */
export function openWays(
  { ways }: StepView,
  can: (permission: Permission) => boolean,
  mayGo: (screen: ScreenCode) => boolean,
): readonly StepWay[] {
  return ways.filter(({ may, place: { screen } }) => can(may) && mayGo(screen));
}

/** The right that a step takes, by the name of its button or menu. */
export function rightName(permission: Permission): string {
  return permission.endsWith('.read')
    ? phrase(`menu.${permissions[permission].screen}`)
    : phrase(`permission.${permission}` as PhraseKey);
}
