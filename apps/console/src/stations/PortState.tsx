import type { Connector } from '@voltdeck/contract/connectors';
import { Tooltip } from 'antd';
import { phrase } from '../phrases.ts';
import { faultText } from '../ui/ports/fault-text.ts';
import { StateTag } from '../ui/StateTag.tsx';
import { connectorTones } from '../ui/state-colours.ts';

/** A port's detailed state; a fault is described on hover and focus. */
export function PortState({ port }: { port: Pick<Connector, 'state' | 'faultCode' | 'faultInfo'> }) {
  const tag = <StateTag tone={connectorTones[port.state]}>{phrase(`connector-state.${port.state}`)}</StateTag>;
  const fault = faultText(port);
  if (fault === '') return tag;
  return (
    <Tooltip title={fault} trigger={['hover', 'focus']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the fault has to be reachable by keyboard */}
      <span tabIndex={0}>{tag}</span>
    </Tooltip>
  );
}
