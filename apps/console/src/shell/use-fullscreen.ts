import { App } from 'antd';
import { useEffect, useState } from 'react';
import { phrase } from '../phrases.ts';

/** Whether the window is in fullscreen, and the switch; warns if the browser does not support it. */
export function useFullscreen(): { isFull: boolean; toggle: () => Promise<void> } {
  const { message } = App.useApp();
  const [isFull, setFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  const toggle = async () => {
    if (!document.fullscreenEnabled) {
      message.warning(phrase('shell.fullscreenUnsupported'));
      return;
    }
    if (isFull) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen();
  };
  return { isFull, toggle };
}
