/**
 * The three buttons in a study's legend: show or hide, settings, remove. They are drawn on the canvas, for pointers;
 * the indicators panel has the same three for the keyboard.
 */
import type { TooltipFeatureStyle } from 'klinecharts';
import { isRecord } from '../../../shared/json/is-record.ts';
import type { ChartColours } from './chart-theme.ts';
import { isStudyId, type StudyId } from './settings/studies.ts';

const studyButtonNames = ['visibility', 'settings', 'remove'] as const;
export type StudyButton = (typeof studyButtonNames)[number];

const idPrefix = 'study-';
export const toIndicatorId = (id: StudyId): string => `${idPrefix}${id}`;

/** Paths in a square of 12 px; klinecharts does not scale them. */
const eye =
  'M1 6 Q6 0.5 11 6 Q6 11.5 1 6 Z M4.4 6 Q4.4 4.4 6 4.4 Q7.6 4.4 7.6 6 Q7.6 7.6 6 7.6 Q4.4 7.6 4.4 6 Z';
const closedEye = 'M1 6 Q6 11.5 11 6 M2.6 8 L1.4 9.6 M6 9 L6 11 M9.4 8 L10.6 9.6';
const sliders = 'M1 3.5 L11 3.5 M1 8.5 L11 8.5 M4 1.5 L4 5.5 M8 6.5 L8 10.5';
const cross = 'M2.5 2.5 L9.5 9.5 M9.5 2.5 L2.5 9.5';
const sizePx = 12;
/** Aligns the buttons with the text of the legend. */
const alignPx = 4;

export function studyButtons(visible: boolean, colours: ChartColours): TooltipFeatureStyle[] {
  const paths: Readonly<Record<StudyButton, string>> = {
    visibility: visible ? eye : closedEye,
    settings: sliders,
    remove: cross,
  };
  return studyButtonNames.map((id) => ({
    id,
    position: 'middle',
    type: 'path',
    content: { path: paths[id], style: 'stroke', lineWidth: 1.1 },
    size: sizePx,
    color: colours.text3,
    activeColor: colours.onLineStrong,
    backgroundColor: 'transparent',
    activeBackgroundColor: colours.lineStrong,
    borderRadius: 3,
    marginLeft: 0,
    marginRight: 6,
    marginTop: alignPx,
    marginBottom: 0,
    paddingLeft: 0,
    paddingRight: 0,
    paddingTop: 0,
    paddingBottom: 0,
  }));
}

/** The pressed button of klinecharts' event; null for anything else. */
export function parseStudyButton(
  event: unknown,
): { readonly id: StudyId; readonly button: StudyButton } | null {
  if (!isRecord(event) || !isRecord(event.indicator) || !isRecord(event.feature)) return null;
  const { id } = event.indicator;
  const feature = event.feature.id;
  const button = studyButtonNames.find((one) => one === feature);
  if (!button || typeof id !== 'string' || !id.startsWith(idPrefix)) return null;
  const study = id.slice(idPrefix.length);
  return isStudyId(study) ? { id: study, button } : null;
}
