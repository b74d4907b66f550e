// Renderer: the overlays of a price chart: regimes, gaps, notes, transitions and states.
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';
import { createDueMarkers, DUE_SIZE } from './due-markers.ts';
import { createGapHatch } from './gap-hatch.ts';
import { gapBoxes, nearestStateChange, notesAt, placeNotes, placeStateChanges, timeIndex } from './geometry.ts';
import type { ChartDue, ChartModel, ChartNote, GapBand, StateChange } from './model.ts';
import { createNoteMarkers, MARKER_HEIGHT } from './note-markers.ts';
import { projection } from './primitive-base.ts';
import { createRegimeRibbon, RIBBON_SPACE } from './regime-ribbon.ts';
import { createStateStrip } from './state-strip.ts';
import { createTransitionMarkers } from './transition-markers.ts';

const GLYPHS_AT = 15;
/** Top of the note markers, px from the top of their pane: below the ribbon. */
const NOTES_AT = RIBBON_SPACE + 2;
/** A pointer this close to a gap is on it, px. */
const REACH = 3;

export interface OverlayLabels {
  readonly highRisk: string;
  regimeName(regime: string): string;
}

/** @param chart its first pane shows prices, its second one transitions and states */
export function createOverlays(chart: IChartApi, line: ISeriesApi<'Line'>, labels: OverlayLabels, first: ChartColors) {
  let colors = first;
  let model: ChartModel | null = null;
  let logicalAt = timeIndex([]);
  const options = () => {
    const shared = { logicalAt, colors };
    const { gaps = [], stateChanges = [], regimes = [], bands = [], notes = [], due = [] } = model ?? {};
    return {
      ribbon: { ...shared, bands: regimes, nameOf: labels.regimeName },
      hairlines: { ...shared, stateChanges, top: RIBBON_SPACE, glyphsAt: null },
      gaps: { ...shared, gaps, top: RIBBON_SPACE },
      notes: { ...shared, notes, top: NOTES_AT },
      due: { ...shared, due },
      strip: { ...shared, bands, highRiskLabel: labels.highRisk },
      glyphs: { ...shared, stateChanges, top: 0, glyphsAt: GLYPHS_AT },
      laneGaps: { ...shared, gaps, top: 0 },
    };
  };
  const initial = options();
  const ribbon = createRegimeRibbon(initial.ribbon);
  const hairlines = createTransitionMarkers(initial.hairlines);
  const gapHatch = createGapHatch(initial.gaps);
  const noteMarkers = createNoteMarkers(initial.notes);
  const dueMarkers = createDueMarkers(initial.due);
  const strip = createStateStrip(initial.strip);
  const glyphs = createTransitionMarkers(initial.glyphs);
  const laneGaps = createGapHatch(initial.laneGaps);
  const [main, lanes] = chart.panes();
  for (const primitive of [ribbon, hairlines, noteMarkers, dueMarkers]) main?.attachPrimitive(primitive);
  line.attachPrimitive(gapHatch);
  for (const primitive of [strip, glyphs, laneGaps]) lanes?.attachPrimitive(primitive);

  const update = (): void => {
    const now = options();
    ribbon.setOptions(now.ribbon);
    hairlines.setOptions(now.hairlines);
    gapHatch.setOptions(now.gaps);
    noteMarkers.setOptions(now.notes);
    dueMarkers.setOptions(now.due);
    strip.setOptions(now.strip);
    glyphs.setOptions(now.glyphs);
    laneGaps.setOptions(now.laneGaps);
  };
  return {
    setModel(next: ChartModel): void {
      model = next;
      logicalAt = timeIndex(next.points.map((each) => each.ms));
      update();
    },
    setColors(next: ChartColors): void {
      colors = next;
      update();
    },
    /** The change of state whose glyph is at a position of the time scale, px. */
    stateChangeAt(x: number): StateChange | null {
      const toX = projection(chart, logicalAt);
      return nearestStateChange(placeStateChanges(model?.stateChanges ?? [], toX, chart.timeScale().width()), x);
    },
    /** The notes whose marker is at a position of the first pane, px. */
    notesAt(x: number, y: number): readonly ChartNote[] {
      if (y < NOTES_AT || y > NOTES_AT + MARKER_HEIGHT) return [];
      const toX = projection(chart, logicalAt);
      return notesAt(placeNotes(model?.notes ?? [], toX, chart.timeScale().width()), x);
    },
    /** What is due at a position of the first pane, px. */
    dueAt(x: number, y: number): readonly ChartDue[] {
      if (y < (main?.getHeight() ?? 0) - DUE_SIZE - 1) return [];
      return notesAt(placeNotes(model?.due ?? [], projection(chart, logicalAt), chart.timeScale().width()), x);
    },
    /** The gap at a position of the time scale, px. */
    gapAt(x: number): GapBand | null {
      const boxes = gapBoxes(model?.gaps ?? [], projection(chart, logicalAt), chart.timeScale().width());
      return boxes.find((box) => x >= box.x0 - REACH && x <= box.x1 + REACH)?.gap ?? null;
    },
  };
}
