import { Drawer } from 'antd';
import type { ReactNode } from 'react';

const widthPx = 260;

type Props = { open: boolean; onClose: () => void; title: ReactNode; children: ReactNode };

/** The sidebar on narrow windows. */
export default function SideDrawer({ open, onClose, title, children }: Props) {
  return (
    <Drawer
      placement="left"
      size={widthPx}
      open={open}
      onClose={onClose}
      title={title}
      styles={{ body: { padding: '8px 0' } }}
    >
      {children}
    </Drawer>
  );
}
