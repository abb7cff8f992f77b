import type { SiteMapState } from '@voltdeck/charging/site-map-state';
import {
  ringSlices,
  type SiteOnMap,
  type SiteTally,
  siteStates,
  siteTones,
  stateShapes,
  tellingState,
} from './site-map-states.ts';
import { clusterWords, type SiteMapLabels } from './site-map-words.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** How a site's mark is drawn: a dot from afar, a pill with its ports from near, a pill with its name when chosen. */
export type SiteMarkForm = 'dot' | 'ports' | 'chosen';

/** The side of a cluster's mark in pixels, which grows with the digits of its count. */
export function clusterSizePx(sites: number): number {
  return Math.round(Math.min(60, 30 + 7 * Math.log10(Math.max(sites, 2))));
}

/** A ring divided by state with the number of sites inside, and a badge when one of them needs attention. */
export function drawCluster(
  button: HTMLButtonElement,
  tally: SiteTally,
  labels: SiteMapLabels,
  language: string,
): void {
  const size = clusterSizePx(tally.sites);
  const telling = tellingState(tally);
  button.className = 'site-map-cluster';
  button.style.width = `${size}px`;
  button.style.height = `${size}px`;
  button.setAttribute('aria-label', clusterWords(tally, labels));
  const count = document.createElement('span');
  count.textContent = new Intl.NumberFormat(language, { notation: 'compact' }).format(tally.sites);
  button.replaceChildren(ring(tally), count);
  if (telling === 'fault' || telling === 'offline') button.append(badge(telling));
}

/** A site's shape in its state's colour, with its free ports or name depending on the form. */
export function drawSite(button: HTMLButtonElement, site: SiteOnMap, form: SiteMarkForm, labels: SiteMapLabels): void {
  button.className = `site-map-site site-map-site-${form}`;
  button.dataset.tone = siteTones[site.state];
  button.style.width = '';
  button.style.height = '';
  const ports = `${site.freeCount}/${site.connectorCount}`;
  // The accessible name begins with the visible text, which voice control needs.
  button.setAttribute('aria-label', `${site.name} ${ports}, ${labels.states[site.state]}`);
  button.replaceChildren(shape(site.state));
  if (form === 'dot') return;
  const figures = document.createElement('span');
  figures.textContent = ports;
  button.append(figures);
  if (form !== 'chosen') return;
  const name = document.createElement('span');
  name.className = 'site-map-name';
  name.textContent = site.name;
  figures.before(name, ' ');
}

/** The tooltip of a site. */
export function siteTip(site: SiteOnMap, labels: SiteMapLabels): HTMLElement {
  const tip = document.createElement('div');
  const title = document.createElement('strong');
  title.textContent = site.name;
  tip.append(title, stateLine(site.state, labels.states[site.state]));
  const ports = document.createElement('div');
  ports.textContent = [labels.freeOf(site.freeCount, site.connectorCount), site.priceText].filter(Boolean).join(' · ');
  tip.append(ports);
  return tip;
}

/** The tooltip of a group: the number of sites per state. */
export function clusterTip(tally: SiteTally, labels: SiteMapLabels): HTMLElement {
  const tip = document.createElement('div');
  const title = document.createElement('strong');
  title.textContent = labels.siteCount(tally.sites);
  const ports = document.createElement('div');
  ports.textContent = labels.freeOf(tally.freeCount, tally.connectorCount);
  tip.append(title, ports);
  for (const state of siteStates) {
    if (tally.byState[state] > 0) tip.append(stateLine(state, labels.states[state], tally.byState[state]));
  }
  return tip;
}

function stateLine(state: SiteMapState, text: string, sites?: number): HTMLElement {
  const line = document.createElement('div');
  line.className = 'site-map-tip-state';
  line.dataset.tone = siteTones[state];
  const word = document.createElement('span');
  word.textContent = text;
  line.append(shape(state), word);
  if (sites !== undefined) {
    const count = document.createElement('span');
    count.className = 'site-map-tip-count';
    count.textContent = String(sites);
    line.append(count);
  }
  return line;
}

function badge(state: SiteMapState): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'site-map-badge';
  mark.dataset.tone = siteTones[state];
  mark.append(shape(state));
  return mark;
}

function shape(state: SiteMapState): SVGSVGElement {
  const picture = svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true', class: 'site-map-shape' });
  picture.append(svg('path', { d: stateShapes[state], 'fill-rule': 'evenodd' }));
  return picture;
}

function ring(tally: SiteTally): SVGSVGElement {
  const picture = svg('svg', { viewBox: '0 0 40 40', 'aria-hidden': 'true', class: 'site-map-ring' });
  const slices = ringSlices(tally);
  const gap = slices.length > 1 ? 1 : 0;
  for (const { state, from, to } of slices) {
    const length = (to - from) * 100 - gap;
    const slice = svg('circle', {
      cx: '20',
      cy: '20',
      r: '17',
      pathLength: '100',
      'stroke-dasharray': `${length} ${100 - length}`,
      'stroke-dashoffset': `${-from * 100}`,
    });
    slice.dataset.tone = siteTones[state];
    picture.append(slice);
  }
  return picture;
}

function svg<Name extends 'svg' | 'path' | 'circle'>(
  name: Name,
  attributes: Record<string, string>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
