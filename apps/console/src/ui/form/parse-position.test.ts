import { describe, expect, test } from 'vitest';
import { parsePosition } from './parse-position.ts';

const shenzhen = { longitude: 113.9305, latitude: 22.5431 };

describe('pasted coordinates', () => {
  test.each([
    '22.5431, 113.9305',
    '113.9305,22.5431',
    '113.9305 22.5431',
    ' 113.9305，22.5431 ',
    '１１３.９３０５，２２.５４３１',
    '(22.5431;113.9305)',
    '22.5431°N 113.9305°E',
    'N22.5431 E113.9305',
    '113.9305°E, 22.5431°N',
    '北纬22.5431度，东经113.9305度',
    '东经113.9305° 北纬22.5431°',
    '经度：113.9305 纬度：22.5431',
    'lat: 22.5431, lng: 113.9305',
    'longitude=113.9305 latitude=22.5431',
    '[113.9305, 22.5431]',
  ])('"%s" is understood', (text) => {
    expect(parsePosition(text)).toEqual({ kind: 'point', point: shenzhen });
  });

  test.each([`22°32'35.16"N 113°55'49.8"E`, '北纬22°32′35.16″，东经113°55′49.8″', '22度32分35.16秒 113度55分49.8秒'])(
    'degrees, minutes and seconds are understood: %s',
    (text) => {
      const parsed = parsePosition(text);
      expect(parsed.kind).toBe('point');
      if (parsed.kind !== 'point') return;
      expect(parsed.point.longitude).toBeCloseTo(113.9305, 6);
      expect(parsed.point.latitude).toBeCloseTo(22.5431, 6);
    },
  );

  test('elsewhere than in China, latitude comes first unless it says otherwise', () => {
    expect(parsePosition('48.8566, 2.3522')).toEqual({
      kind: 'point',
      point: { longitude: 2.3522, latitude: 48.8566 },
    });
    expect(parsePosition('48.8566S 2.3522W')).toEqual({
      kind: 'point',
      point: { longitude: -2.3522, latitude: -48.8566 },
    });
    expect(parsePosition('-33.86, 151.21')).toEqual({ kind: 'point', point: { longitude: 151.21, latitude: -33.86 } });
  });

  test.each(['213.9, 22.5', '113.9, 122.5', '22.5N 113.9N', `22°72'N 113°55'E`, '22.5, 113.9, 40'])(
    '"%s" is no place on earth',
    (text) => {
      expect(parsePosition(text)).toEqual({ kind: 'nonsense' });
    },
  );

  test.each(['', '22.5431', '科苑路21号', 'B2-017', '113.9305 米'])('"%s" is not coordinates', (text) => {
    expect(parsePosition(text)).toEqual({ kind: 'none' });
  });
});
