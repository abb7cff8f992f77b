import { protocols } from '@voltdeck/charging/states';
import { all as english } from '@voltdeck/phrases/en/all';
import { all as chinese } from '@voltdeck/phrases/zh-CN/all';
import { expect, test } from 'vitest';
import { learnPhrases } from '../phrases.ts';
import { connectionSteps } from './connection-steps.ts';

test.each([english, chinese])('the steps of a protocol mention no other protocol', (phrases) => {
  learnPhrases(phrases);
  for (const protocol of protocols) {
    const steps = connectionSteps({ protocol, identity: '55031412782305', signIn: 'password' }).join(' ');
    expect(steps).toContain('55031412782305');
    expect(steps.includes('OCPP')).toBe(protocol === 'ocpp1.6');
    expect(/YKC|云快充/.test(steps)).toBe(protocol === 'ykc');
  }
});
