import { protocolTraits } from '@voltdeck/charging/protocol-traits';
import type { Protocol } from '@voltdeck/charging/states';
import { bulkCommandKinds, commandKinds, type StationCommand } from '@voltdeck/charging/station-command';
import { bulkCommandBodies } from '@voltdeck/contract/station-commands';
import type { Api, Language } from '@voltdeck/journeys/api';
import { type LibraryStation, libraryStation } from '@voltdeck/journeys/library-station';
import { type Pile, startPile } from '@voltdeck/journeys/pile';
import { u8, zeros } from '@voltdeck/journeys/pile-bytes';
import { until } from '@voltdeck/journeys/until';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { inFront, networkWalk } from './network-walk.ts';
import { ruleWalk } from './rule-walk.ts';
import { tellStatus } from './told-charge.ts';

type Answer = Readonly<Record<string, unknown>>;
type Commanded = { id: number; number: string; station: LibraryStation };

const pileNumber = '33010600008001';
const offlineCard = '0000000000000001';
let api: Api;
let siteId = 0;
let tariffId = 0;
let pile: Pile;
let pileId = 0;
/** Says yes to everything, and has a few parameters. */
let willing: Commanded;
const open: LibraryStation[] = [];

const walk = ruleWalk(async ({ product }) => {
  api = await product.signIn();
  siteId = await api.createSite('Lakeside');
  tariffId = await api.createTariff({
    name: 'One price',
    kind: 'energy',
    prices: {
      sharp: { electricity: 70_000, service: 40_000 },
      peak: { electricity: 70_000, service: 40_000 },
      flat: { electricity: 70_000, service: 40_000 },
      valley: { electricity: 70_000, service: 40_000 },
    },
    slots: [{ start: '00:00', end: '24:00', period: 'flat' }],
  });
  willing = await connected('WILLING-1');
  await api.createCard(offlineCard, 10_000);
  pileId = (await api.createStation({ number: pileNumber, siteId, tariffId, protocol: 'ykc' })).id;
  pile = startPile({ port: product.ykcPort, number: pileNumber });
  // The station's own words for yes; commands wait for the answer to the one before.
  const own = (body: Buffer) => body.subarray(0, 7);
  pile.answerBy(0x56, (body) => ({ type: 0x55, body }));
  pile.answerBy(0x52, (body) => ({ type: 0x51, body: Buffer.concat([own(body), u8(1)]) }));
  pile.answerBy(0x62, (body) => ({ type: 0x63, body: Buffer.concat([body.subarray(0, 8), u8(1), zeros(4)]) }));
  pile.answerBy(0x48, (body) => ({ type: 0x47, body: Buffer.concat([own(body), body.subarray(8, 16), u8(1)]) }));
  await pile.ready();
});
afterAll(async () => {
  await Promise.all(open.map((station) => station.close()));
  await pile.close();
});

/** An OCPP station with two free ports that answers by this. */
async function connected(number: string, answer?: (action: string) => Answer): Promise<Commanded> {
  const { id, password } = await api.createStation({ number, siteId, tariffId, ports: 2 });
  const station = await libraryStation(walk.product.ocppUrl, { number, password });
  open.push(station);
  station.answerBy((action) => ({ ...(answer?.(action) ?? answerOf(action)) }));
  await station.call('BootNotification', { chargePointVendor: 'Lakeside', chargePointModel: 'L120' });
  for (const port of [1, 2]) await tellStatus({ station }, port, 'Available');
  return { id, number, station };
}

function answerOf(action: string): Answer {
  switch (action) {
    case 'GetConfiguration':
      return {
        configurationKey: [
          { key: 'HeartbeatInterval', readonly: false, value: '60' },
          { key: 'NumberOfConnectors', readonly: true, value: '2' },
        ],
        unknownKey: ['LightIntensity'],
      };
    case 'UnlockConnector':
      return { status: 'Unlocked' };
    default:
      return { status: 'Accepted' };
  }
}

const actionsOf = ({ station }: Commanded) => station.asked.map(({ action }) => action);
const exact = (name: string) => ({ name, exact: true });

/** The remote control of a station, opened from its list. */
async function openControl(id: number, language: Language = 'en') {
  const page = await walk.open(`/deviceList?do=control&of=${id}`, { language });
  const said = networkWalk(page, language);
  const control = inFront(said);
  await control.getByRole('heading', exact(said.say('stations.answers'))).waitFor();
  await control.locator('section').first().waitFor();
  const group = (title: PhraseKey) => control.getByRole('region', exact(said.say(title)));
  const press = (within: Locator, verb: PhraseKey) => within.getByRole('button', exact(said.say(verb))).click();
  return { page, control, group, press, say: said.say };
}
type Control = Awaited<ReturnType<typeof openControl>>;

describe('the remote control of a station', () => {
  /** Where the form of each command is; a stop is offered where a charge runs, which the watched charge shows. */
  const forms: Record<Exclude<StationCommand['kind'], 'stop-charge'>, (at: Control) => Locator> = {
    'start-charge': ({ control, say }) => control.getByRole('table').getByRole('button', exact(say('stations.start'))),
    'unlock-connector': ({ control, say }) =>
      control.getByRole('table').getByRole('button', exact(say('stations.unlock'))),
    reset: ({ control, say }) => control.getByRole('button', exact(say('stations.resetHard'))),
    'trigger-message': ({ control, say }) => control.getByRole('button', exact(say('command.trigger-message'))),
    'change-availability': ({ group }) => group('stations.availability'),
    'read-configuration': ({ group, say }) =>
      group('stations.configuration').getByRole('button', exact(say('command.read-configuration'))),
    'write-configuration': ({ group, say }) =>
      group('stations.configuration').getByRole('button', exact(say('command.write-configuration'))),
    'clear-cache': ({ group }) => group('stations.cache'),
    'transfer-data': ({ group }) => group('command.transfer-data'),
    'set-tariff': ({ group }) => group('stations.runningTariff'),
    'set-clock': ({ group }) => group('stations.clock'),
    'update-balance': ({ group }) => group('command.update-balance'),
    'store-cards': ({ control, say }) => control.getByRole('button', exact(say('command.store-cards'))),
    'query-cards': ({ control, say }) => control.getByRole('button', exact(say('command.query-cards'))),
    'clear-cards': ({ control, say }) => control.getByRole('button', exact(say('command.clear-cards'))),
    'limit-power': ({ group }) => group('stations.workLimits'),
    'move-ground-lock': ({ group }) => group('stations.groundLock'),
    'update-firmware': ({ group }) => group('stations.firmwareTitle'),
    raw: ({ group }) => group('command.raw'),
  };

  test.each([
    ['ocpp1.6', () => willing.id],
    ['ykc', () => pileId],
  ] as const)(
    'the remote control offers every command that %s has, and none that it lacks',
    async (protocol: Protocol, idOf) => {
      const at = await openControl(idOf());
      const offered = async () => {
        const kinds: string[] = ['stop-charge'];
        for (const [kind, formOf] of Object.entries(forms)) {
          if ((await formOf(at).filter({ visible: true }).count()) > 0) kinds.push(kind);
        }
        return kinds.toSorted();
      };
      await expect.poll(offered).toEqual([...protocolTraits[protocol].commands].toSorted());
      expect(Object.keys(forms).length).toBe(commandKinds.length - 1);
    },
  );

  test('a command chosen in the remote control reaches an OCPP station, whose answer is shown below', async () => {
    const at = await openControl(willing.id);
    const before = willing.station.asked.length;
    const { control, group, press, page, say } = at;
    await press(control, 'stations.resetSoft');
    const question = page
      .getByRole('dialog')
      .filter({ hasText: say('stations.resetSoftQuestion', { name: 'Station WILLING-1' }) });
    await question
      .last()
      .getByRole('button', exact(say('stations.resetSoft')))
      .click();
    await group('stations.availability').getByRole('combobox').click();
    await page.getByTitle(say('port.numbered', { number: 2 })).click();
    await press(group('stations.availability'), 'stations.worksYes');
    await control
      .getByRole('row')
      .nth(1)
      .getByRole('button', exact(say('stations.unlock')))
      .click();
    await press(group('stations.cache'), 'command.clear-cache');
    await press(group('command.transfer-data'), 'stations.transferPrepare');
    await group('command.transfer-data').getByLabel(say('stations.transferVendor')).fill('lakeside.example');
    await press(group('command.transfer-data'), 'command.transfer-data');
    await press(group('command.raw'), 'stations.rawPrepare');
    await group('command.raw').getByLabel(say('stations.rawAction')).fill('GetLocalListVersion');
    await group('command.raw').getByLabel(say('stations.rawPayload')).fill('{"not json"');
    await press(group('command.raw'), 'stations.rawSend');
    await control.getByText(say('stations.notJson')).waitFor();
    await group('command.raw').getByLabel(say('stations.rawPayload')).fill('{}');
    await press(group('command.raw'), 'stations.rawSend');
    const wanted = [
      { action: 'Reset', payload: { type: 'Soft' } },
      { action: 'ChangeAvailability', payload: { connectorId: 2, type: 'Operative' } },
      { action: 'UnlockConnector', payload: { connectorId: 1 } },
      { action: 'ClearCache', payload: {} },
      { action: 'DataTransfer', payload: { vendorId: 'lakeside.example' } },
      { action: 'GetLocalListVersion', payload: {} },
    ];
    await until('the station was asked all of it', () => willing.station.asked.length >= before + wanted.length);
    expect(new Set(willing.station.asked.slice(before))).toEqual(new Set(wanted));
    const answers = control.locator('[aria-live=polite] li');
    await until('each has its answer', async () => (await answers.getByText(/ ms$/).count()) === wanted.length);
  });

  test('a command chosen in the remote control reaches a YKC station', async () => {
    const { control, group, press, page, say } = await openControl(pileId);
    const heard = async (type: number) => (await pile.hears(type)).body;
    await press(group('stations.clock'), 'command.set-clock');
    await heard(0x56);
    await group('stations.workLimits').getByRole('spinbutton').fill('60');
    await press(group('stations.workLimits'), 'command.limit-power');
    expect([...(await heard(0x52)).subarray(7)]).toEqual([0, 60]);
    await press(group('stations.groundLock'), 'stations.lock_lowered');
    await heard(0x62);
    await control.getByRole('combobox', exact(say('stations.offlineCards'))).fill(`${offlineCard},`);
    await press(control, 'command.query-cards');
    await heard(0x48);
    const firmware = group('stations.firmwareTitle');
    await press(firmware, 'stations.firmwarePrepare');
    await press(firmware, 'command.update-firmware');
    await firmware.getByText(say('field.required')).first().waitFor();
    for (const [label, text] of [
      ['stations.ftpHost', '203.0.113.9'],
      ['stations.ftpUser', 'ota'],
      ['stations.password', 'secret-1'],
      ['stations.ftpPath', '/v5.bin'],
    ] as const) {
      await firmware.getByLabel(say(label)).fill(text);
    }
    await press(firmware, 'command.update-firmware');
    const question = page
      .getByRole('dialog')
      .filter({ hasText: say('stations.firmwareDetails') })
      .last();
    await question.getByRole('button', exact(say('command.update-firmware'))).click();
    expect((await heard(0x94)).toString('latin1')).toContain('/v5.bin');
  });
});

describe('the parameters of a station', () => {
  test.each([
    ['zh-CN', '设置失败，请联系管理员：充电桩拒绝执行', '充电桩标明此参数只读', '充电桩没有这些参数：LightIntensity'],
    [
      'en',
      'Setting failed, please contact the administrator: The station rejected it',
      'The station says that it is read-only',
      'The station does not know: LightIntensity',
    ],
  ] as const)(
    '8.2.20 the parameters of a station are read and changed, and a refusal leaves them as they are, in %s',
    async (language, failed, fixed, unknown) => {
      let isWilling = false;
      const at = await connected(`PARAMETERS-${language}`, (action) =>
        action === 'ChangeConfiguration' ? { status: isWilling ? 'Accepted' : 'Rejected' } : answerOf(action),
      );
      const { control, group, press, say } = await openControl(at.id, language);
      const parameters = group('stations.configuration');
      await press(parameters, 'command.read-configuration');
      await parameters.getByText(unknown).waitFor();
      const row = (key: string) => parameters.getByRole('row').filter({ hasText: key });
      expect(await row('NumberOfConnectors').getByRole('button').getAttribute('aria-description')).toBe(fixed);
      await press(row('HeartbeatInterval'), 'stations.configurationChange');
      const value = parameters.getByRole('textbox', exact('HeartbeatInterval'));
      await value.fill('300');
      await parameters.getByRole('button', exact(say('stations.configurationSave'))).click();
      await parameters.getByRole('alert').filter({ hasText: failed }).waitFor();
      expect(await value.inputValue()).toBe('300');
      isWilling = true;
      await parameters.getByRole('button', exact(say('stations.configurationSave'))).click();
      await row('HeartbeatInterval').getByText('300', { exact: true }).waitFor();
      expect(await parameters.getByRole('alert').count()).toBe(0);
      expect(at.station.asked.at(-1)).toEqual({
        action: 'ChangeConfiguration',
        payload: { key: 'HeartbeatInterval', value: '300' },
      });
      await press(parameters, 'command.write-configuration');
      await parameters.getByRole('textbox', exact(say('stations.configurationKey'))).fill('LightIntensity');
      await parameters.getByRole('textbox', exact(say('stations.configurationValue'))).fill('40');
      await parameters.getByRole('button', exact(say('stations.configurationSave'))).click();
      await control
        .locator('[aria-live=polite]')
        .getByText(say('stations.configurationAsked', { key: 'LightIntensity' }))
        .waitFor();
      await until('the new one was sent, too', () => at.station.asked.at(-1)?.payload.key === 'LightIntensity');
      expect(actionsOf(at).filter((action) => action === 'ChangeConfiguration')).toHaveLength(3);
    },
  );
});

describe('one command over many stations', () => {
  /** Parts of its body that no field asks for: everything is about whole stations, which the list names. */
  const unasked = ['kind', 'stationIds', 'query', 'connectorNumber'];

  /** Selects rows of the list and opens the form of a command for them. */
  async function openForm(page: Page, language: Language, numbers: readonly string[]) {
    const said = networkWalk(page, language);
    for (const number of numbers) {
      await page.getByRole('row').filter({ hasText: number }).getByRole('checkbox').check();
    }
    await page
      .getByRole('button', exact(said.say('stations.commandMany')))
      .and(page.locator(':not([role=row] *)'))
      .first()
      .click();
    const form = inFront(said);
    await form.getByRole('combobox', exact(said.say('stations.commandKind'))).waitFor();
    const choose = async (kind: (typeof bulkCommandKinds)[number]) => {
      await form.getByRole('combobox', exact(said.say('stations.commandKind'))).click();
      await page
        .locator('.ant-select-dropdown:visible')
        .getByTitle(said.say(`command.${kind}`), { exact: true })
        .click();
    };
    return { form, choose, say: said.say };
  }

  test.each([
    ['ocpp1.6', (): string => willing.number],
    ['ykc', (): string => pileNumber],
  ] as const)('each command that %s has for many has its form, and no other is offered', async (protocol, numberOf) => {
    const page = await walk.open(`/deviceList?number=${numberOf()}`, { language: 'en' });
    const { form, choose, say } = await openForm(page, 'en', [numberOf()]);
    const known: readonly (typeof bulkCommandKinds)[number][] = bulkCommandKinds.filter((kind) =>
      protocolTraits[protocol].commands.includes(kind),
    );
    for (const kind of known) {
      await choose(kind);
      await form
        .getByRole('button', exact(say('stations.commandManyVerb', { command: say(`command.${kind}`), count: '1' })))
        .waitFor();
      const shape: Readonly<Record<string, unknown>> = bulkCommandBodies[kind].shape;
      const asked = Object.keys(shape).filter((name) => !unasked.includes(name));
      for (const field of asked) await form.locator(`[id="${field}"], [name="${field}"]`).first().waitFor();
    }
    await form.getByRole('combobox', exact(say('stations.commandKind'))).click();
    // A long list draws those in sight only; that the others are there was seen above.
    const offered = await page.locator('.ant-select-dropdown:visible .ant-select-item-option').allInnerTexts();
    const words: readonly string[] = known.map((kind) => say(`command.${kind}`));
    expect(offered.length).toBeGreaterThan(5);
    expect(offered.filter((word) => !words.includes(word))).toEqual([]);
  });

  test.each(['zh-CN', 'en'] as const)(
    'a command for many becomes a task with a row per station, and the failed ones are asked again, in %s',
    async (language) => {
      let isWilling = false;
      const agrees = await connected(`MANY-${language}-1`);
      const refuses = await connected(`MANY-${language}-2`, () => ({ status: isWilling ? 'Accepted' : 'Rejected' }));
      const away = `MANY-${language}-3`;
      await api.createStation({ number: away, siteId, tariffId });
      const page = await walk.open(`/deviceList?siteId=${siteId}`, { language });
      const { form, choose, say } = await openForm(page, language, [agrees.number, refuses.number, away, pileNumber]);
      await choose('clear-cache');
      await form.getByText(say('stations.commandManyLacking', { count: 1 })).waitFor();
      await form
        .getByRole(
          'button',
          exact(say('stations.commandManyVerb', { command: say('command.clear-cache'), count: '3' })),
        )
        .click();
      await page.waitForURL(/\/taskDetail\?id=/);
      const rowOf = (number: string) => page.getByRole('row').filter({ hasText: number });
      const shows = async (number: string, ...texts: readonly string[]) => {
        for (const text of texts) await rowOf(number).getByText(text).first().waitFor();
      };
      await shows(agrees.number, say('task-row-state.done'));
      await shows(refuses.number, say('task-row-state.refused'), say('command-outcome.rejected'));
      await shows(away, say('task-row-state.offline'));
      await shows(pileNumber, say('task-row-state.skipped'), say('tasks.notSupported'));
      const first = page.url();

      isWilling = true;
      await page.getByRole('button', exact(say('tasks.retry'))).click();
      const retry = inFront({ page });
      await retry.getByRole('button', exact(say('tasks.retry'))).click();
      await page.waitForURL((url) => url.href !== first && url.pathname === '/taskDetail');
      await shows(refuses.number, say('task-row-state.done'));
      await shows(away, say('task-row-state.offline'));
      expect(await rowOf(agrees.number).filter({ visible: true }).count()).toBe(0);
      expect(actionsOf(agrees).filter((action) => action === 'ClearCache')).toHaveLength(1);
      expect(actionsOf(refuses).filter((action) => action === 'ClearCache')).toHaveLength(2);

      const counts = page.getByRole('region', exact(say('tasks.glance'))).filter({ visible: true });
      await counts
        .getByRole('link')
        .filter({ hasText: say('task-row-state.offline') })
        .click();
      await rowOf(refuses.number).filter({ visible: true }).waitFor({ state: 'detached' });
      await shows(away, say('task-row-state.offline'));
    },
  );

  test('a task shows its end on a page that hears no events', async () => {
    const { id, station } = await connected('UNHEARD-1');
    const answers = Promise.withResolvers<Record<string, unknown>>();
    station.answerBy(() => answers.promise);
    const page = await walk.open('/taskList', { language: 'en', isTroubled: true });
    await page.route('**/api/events*', (route) => route.abort());
    const { taskId } = await api.post<{ taskId: number }>('/station-commands', {
      kind: 'clear-cache',
      stationIds: [id],
    });
    await page.goto(`${walk.product.url}/taskDetail?id=${taskId}`);
    await page.getByRole('button', exact('Cancel')).waitFor();
    answers.resolve({ status: 'Accepted' });
    await page.getByRole('button', exact('Retry')).waitFor();
    await page.getByRole('row').filter({ hasText: 'UNHEARD-1' }).getByText('Done').waitFor();
  });
});
