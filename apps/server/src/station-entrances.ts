import type { Server } from 'node:http';
import { type Protocol, protocols } from '@voltdeck/charging/states';
import type { Context } from './context.ts';
import type { Environment } from './environment.ts';
import { attachOcppGateway } from './gateways/ocpp-socket.ts';
import { openYkcGateway } from './gateways/ykc-socket.ts';
import type { StationJournal } from './journal/station-journal.ts';

/** What every gateway is made of, whatever its stations speak. */
export type GatewayParts = {
  settings: Pick<Environment, 'host' | 'ykcPort'>;
  context: Context<'stations'>;
  journal: StationJournal;
  /** Which node of the installation this is. */
  node: string;
};

type Gateway = { close(): Promise<void> };
type ListeningGateway = Gateway & { readonly port: number };

/** Where the stations of a protocol come in: at a port of their own, or by upgrades of the HTTP server. */
type Entrance =
  /** Null where the settings want no such port. */
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

/** Opens the ports that protocols have of their own. */
export async function listenForStations(parts: GatewayParts): Promise<ReadonlyMap<Protocol, ListeningGateway>> {
  const open = new Map<Protocol, ListeningGateway>();
  for (const protocol of protocols) {
    const entrance = entrances[protocol];
    const gateway = entrance.at === 'own-port' ? await entrance.listen(parts) : null;
    if (gateway !== null) open.set(protocol, gateway);
  }
  return open;
}

/** Lets in the stations that come by the HTTP server. */
export function attachStations(server: Server, parts: GatewayParts): ReadonlyMap<Protocol, Gateway> {
  const attached = new Map<Protocol, Gateway>();
  for (const protocol of protocols) {
    const entrance = entrances[protocol];
    if (entrance.at === 'http') attached.set(protocol, entrance.attach(server, parts));
  }
  return attached;
}
