import { MinusOutlined, PlusOutlined } from '@ant-design/icons';
import { type Point, toWgs84 } from '@voltdeck/regions/datum';
import { regionTable } from '@voltdeck/regions/region-table';
import { regionView } from '@voltdeck/regions/regions';
import { AutoComplete, Button, Form, type FormInstance, Input } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { language } from '../../language.ts';
import { phrase } from '../../phrases.ts';
import { useTouchForm } from '../FormDrawer.tsx';
import { PositionMap } from '../map/position-map.ts';
import { useMapTiles } from '../map/use-map-tiles.ts';
import styles from './form.module.css';
import { PositionPaste } from './PositionPaste.tsx';
import { PositionReadout } from './PositionReadout.tsx';
import { placesFor } from './position-places.ts';

/** Six decimals of a degree are a tenth of a metre. */
const decimals = 6;
const rounded = (degrees: number) => Number(degrees.toFixed(decimals));

/**
 * A position on the map. Clicking the map, dragging the mark or pasting coordinates fills the two fields below, and
 * typing in them moves the mark. A region's name finds it on the map; with a keyboard the fields alone are enough.
 */
export default function MapPosition({ form }: { form: FormInstance }) {
  const touch = useTouchForm();
  const tiles = useMapTiles();
  const container = useRef<HTMLDivElement>(null);
  const map = useRef<PositionMap>(null);
  const [hasTrouble, setHasTrouble] = useState(false);
  const [areTilesOut, setTilesOut] = useState(false);
  const [text, setText] = useState('');
  const longitude: unknown = Form.useWatch('longitude', form);
  const latitude: unknown = Form.useWatch('latitude', form);
  const watchedRegion: unknown = Form.useWatch('regionCode', form);
  const regionCode = typeof watchedRegion === 'string' ? watchedRegion : null;
  const position: Point | null =
    typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : null;
  const fill = (picked: Point) => {
    form.setFieldsValue({ longitude: rounded(picked.longitude), latitude: rounded(picked.latitude) });
    touch();
    void form.validateFields(['longitude', 'latitude']).catch(() => {});
  };
  const onPick = useEffectEvent(fill);
  const showOn = useEffectEvent((shownOn: PositionMap | null) => shownOn?.show(position, regionCode));

  useEffect(() => {
    if (container.current === null) return;
    setTilesOut(false);
    const made = new PositionMap(container.current, {
      language,
      tiles,
      onPick,
      onTrouble: setHasTrouble,
      onTilesFailed: () => setTilesOut(true),
    });
    map.current = made;
    showOn(made);
    const sized = new ResizeObserver(() => made.fit());
    sized.observe(container.current);
    return () => {
      sized.disconnect();
      map.current = null;
      made.destroy();
    };
  }, [tiles]);
  const [east, north] = [position?.longitude ?? null, position?.latitude ?? null];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect event reads what these name
  useEffect(() => showOn(map.current), [east, north, regionCode]);

  const lookAtRegion = (code: string) => {
    const view = regionView(regionTable, code);
    if (view !== null) map.current?.lookAt(view, view.zoom);
  };
  const onRegion = useEffectEvent((code: string | null) => {
    if (code !== null && position === null) lookAtRegion(code);
  });
  useEffect(() => onRegion(regionCode), [regionCode]);

  const places = placesFor(text, language);
  const attribution = areTilesOut ? null : (tiles?.attribution ?? null);
  return (
    <div className={styles.position}>
      <PositionPaste
        onPoint={(point, datum) => fill(toWgs84(point, datum))}
        isAt={(point, datum) => {
          const placed = toWgs84(point, datum);
          return rounded(placed.longitude) === longitude && rounded(placed.latitude) === latitude;
        }}
      />
      <AutoComplete
        value={text}
        options={places.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(typed) => setText(typed ?? '')}
        onSelect={(code: string) => {
          setText(places.find((place) => place.code === code)?.name ?? '');
          lookAtRegion(code);
        }}
        className={styles.positionSearch ?? ''}
      >
        <Input
          aria-label={phrase('position.search')}
          placeholder={phrase('position.search')}
          maxLength={64}
          onPressEnter={(event) => event.preventDefault()}
        />
      </AutoComplete>
      <div className={`site-map ${styles.positionMap}`}>
        <div ref={container} className="site-map-view" role="application" aria-label={phrase('position.pick')} />
        <div className={styles.positionZoom}>
          <Button
            size="small"
            icon={<PlusOutlined />}
            aria-label={phrase('position.zoomIn')}
            onClick={() => map.current?.zoomBy(1)}
          />
          <Button
            size="small"
            icon={<MinusOutlined />}
            aria-label={phrase('position.zoomOut')}
            onClick={() => map.current?.zoomBy(-1)}
          />
        </div>
        {hasTrouble || areTilesOut ? (
          <div className={styles.positionTrouble} role="status">
            {phrase(hasTrouble ? 'position.failed' : 'shell.tilesFailed')}
            {hasTrouble ? (
              <Button size="small" onClick={() => map.current?.retry()}>
                {phrase('shell.retry')}
              </Button>
            ) : null}
          </div>
        ) : null}
        {attribution === null ? null : <p className="site-map-source">{attribution}</p>}
      </div>
      <p className={styles.positionHint}>{phrase('position.pick')}</p>
      {position === null ? null : <PositionReadout position={position} regionCode={regionCode} />}
    </div>
  );
}
