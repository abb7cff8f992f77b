import type { Server } from 'node:http';
import { type Protocol, protocols } from '@voltdeck/charging/states';
import type { Context } from './context.ts';
import type { Environment } from './environment.ts';
import { attachOcppGateway } from './gateways/ocpp-socket.ts';
import { openYkcGateway } from './gateways/ykc-socket.ts';
import type { StationJournal } from './journal/station-journal.ts';

/** What every gateway needs, whatever its protocol. */
export type GatewayParts = {
  settings: Pick<Environment, 'host' | 'ykcPort'>;
  context: Context<'stations'>;
  journal: StationJournal;
  /** This node of the installation. */
  node: string;
};

type Gateway = { close(): Promise<void> };
type ListeningGateway = Gateway & { readonly port: number };

/** Where stations of a protocol connect: at a port of their own, or by upgrades of the HTTP server. */
type Entrance =
  /** Null where the settings turn that port off. */
  | { at: 'own-port'; listen(parts: GatewayParts): Promise<ListeningGateway | null> }
  | { at: 'http'; attach(server: Server, parts: GatewayParts): Gateway };

const entrances: Readonly<Record<Protocol, Entrance>> = {
  'ocpp1.6': {
    at: 'http',
    attach: (server, { context, journal, node }) => attachOcppGateway(server, context, journal, { node }),
  },
  ykc: {
    at: 'own-port',
    async listen({ settings: { host, ykcPort }, context, journal, node }) {
      return ykcPort === null ? null : openYkcGateway(context, journal, { host, port: ykcPort }, { node });
    },
  },
};

/** Opens the protocols' own ports. */
export async function listenForStations(parts: GatewayParts): Promise<ReadonlyMap<Protocol, ListeningGateway>> {
  const open = new Map<Protocol, ListeningGateway>();
  for (const protocol of protocols) {
    const entrance = entrances[protocol];
    const gateway = entrance.at === 'own-port' ? await entrance.listen(parts) : null;
    if (gateway !== null) open.set(protocol, gateway);
  }
  return open;
}

/** Accepts the stations that connect through the HTTP server. */
export function attachStations(server: Server, parts: GatewayParts): ReadonlyMap<Protocol, Gateway> {
  const attached = new Map<Protocol, Gateway>();
  for (const protocol of protocols) {
    const entrance = entrances[protocol];
    if (entrance.at === 'http') attached.set(protocol, entrance.attach(server, parts));
  }
  return attached;
}
