import type { Connector } from '@voltdeck/contract/stations';
import { Tooltip } from 'antd';
import { phrase } from '../phrases.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { connectorTones } from '../ui/state-colours.ts';

/** A port's state in the finest grain; a fault tells its code on hover and focus. */
export function PortState({ port }: { port: Pick<Connector, 'state' | 'faultCode' | 'faultInfo'> }) {
  const tag = <StateTag tone={connectorTones[port.state]}>{phrase(`connector-state.${port.state}`)}</StateTag>;
  const fault = [port.faultCode, port.faultInfo].filter((part) => part !== null && part !== '').join(' · ');
  if (fault === '') return tag;
  return (
    <Tooltip title={`${phrase('stations.faultCode')} ${fault}`} trigger={['hover', 'focus']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the fault's code has to be reachable by keyboard */}
      <span tabIndex={0}>{tag}</span>
    </Tooltip>
  );
}
