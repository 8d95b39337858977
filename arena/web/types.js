// Types for the type checker, used in comments only: the browser never loads this file.
// The messages are those of docs/reference/spectators.md (spectators) and docs/reference/protocol.md (players).

/** @import { SpectatorConnection } from "./spectator_connection.js" */

// Messages to spectators

/** @typedef {Record<string, number>} Setup */
/** @typedef {1 | 2} Player */

/**
 * @typedef {{
 *   meaning: string,
 *   minimum: number,
 *   usual: number[],
 *   maximum: number | null,
 *   default: number | null,
 * }} ParameterInfo
 * @typedef {{
 *   name: string,
 *   title: string,
 *   parameters: Record<string, ParameterInfo>,
 *   is_solved: boolean,
 *   has_board: boolean,
 *   has_matching: boolean,
 * }} GameInfo
 */

/**
 * @typedef {{
 *   game: string,
 *   format: string,
 *   bots: string[],
 *   matches: number,
 *   may_end_early: boolean,
 *   seed: number,
 *   references: number,
 * }} TournamentInfo
 */

/**
 * @typedef {{
 *   type: "about",
 *   run: string,
 *   time: string,
 *   games: GameInfo[],
 *   is_open: boolean,
 *   offers: Record<string, string[]>,
 *   tournament: TournamentInfo | null,
 * }} ArenaInfo
 */

/**
 * @typedef {{
 *   text: string,
 *   base_ms: number,
 *   increment_ms: number,
 *   per_move: boolean,
 * }} TimeControlInfo
 */

/**
 * @typedef {{
 *   match: number,
 *   number: number | null,
 *   players: [string, string],
 *   game: string,
 *   setup: Setup,
 *   opening: number,
 *   control: TimeControlInfo,
 *   casual: boolean,
 *   started_at: number,
 *   control2: TimeControlInfo | null,
 *   hints?: boolean,
 * }} MatchInfo
 */

/**
 * @typedef {{
 *   match: number,
 *   ply: number,
 *   moves: number[],
 *   charged_ms: number[],
 *   since_ms: number | null,
 * }} MoveUpdate
 */

/**
 * @typedef {{
 *   match: number,
 *   winner: Player | null,
 *   termination: string,
 *   reason: string,
 *   finished_at: number,
 *   fault?: [move: number | null, charged_ms: number],
 * }} MatchResult
 */

/** @typedef {{ facts: MatchInfo, result: MatchResult, plies: number }} MatchSummary */

/**
 * @typedef {{
 *   type: "lobby",
 *   full?: boolean,
 *   playing?: number,
 *   started?: MatchInfo[],
 *   moves?: MoveUpdate[],
 *   over?: number[],
 *   bots?: string[],
 *   results?: MatchSummary[],
 *   finished?: number,
 *   workers?: WorkersInfo,
 * }} LobbyUpdate
 * @typedef {{
 *   workers: number,
 *   matches_per_second: number,
 *   in_flight: number,
 *   lost: number,
 *   replayed: number,
 * }} WorkersInfo
 */

/**
 * @typedef {{
 *   bot: string,
 *   elo: number | null,
 *   margin: number | null,
 *   wins: number,
 *   draws: number,
 *   losses: number,
 *   pairs: [won: number, tied: number, lost: number],
 *   forfeits: number,
 *   accuracy: number | null,
 * }} LeaderboardRow
 * @typedef {[won: number, lost: number]} Score
 * @typedef {[
 *   one: number,
 *   other: number,
 *   first: Score,
 *   second: Score,
 *   forfeits: number,
 *   draws: [first: number, second: number],
 * ]} HeadToHead
 * @typedef {{
 *   game: string,
 *   finished: number,
 *   judged: number,
 *   first_move: string,
 *   note: string,
 *   bots: LeaderboardRow[],
 *   meetings: HeadToHead[],
 *   omitted: number,
 *   places: [rank: number, bot: string, score: string][],
 *   rounds: Encounter[][],
 *   points: [rank: number, bot: string, points: number, buchholz: number, berger: number, byes: number][],
 * }} Leaderboard
 * @typedef {[
 *   players: [string | null, string | null],
 *   points: [number, number],
 *   winner: string | null,
 *   decided: "played" | "sudden death" | "seed" | "bye" | null,
 * ]} Encounter
 * @typedef {{ type: "tables", tables: Leaderboard[] }} Leaderboards
 */

/**
 * @typedef {{
 *   type: "match",
 *   facts: MatchInfo,
 *   moves: MoveUpdate,
 *   winners: number[] | null,
 *   result: MatchResult | null,
 * }} MatchSnapshot
 * @typedef {{ type: "moves", moves: MoveUpdate }} MatchMoves
 * @typedef {{ type: "winners", match: number, ply: number, winners: number[] }} WinnersUpdate
 * @typedef {{ type: "result", result: MatchResult }} MatchFinished
 * @typedef {{ type: "error", code: string, message: string, request: number | null }} SpectatorError
 */

// Questions of spectators, and the answers

/**
 * @typedef {{
 *   bot?: string,
 *   opponent?: string,
 *   game?: string,
 *   setup?: Setup,
 *   outcome?: string,
 *   ending?: string,
 *   max_blunders?: number,
 *   min_plies?: number,
 *   max_plies?: number,
 *   since?: number,
 *   until?: number,
 * }} MatchFilter
 * @typedef {{
 *   type: "games",
 *   games: MatchSummary[],
 *   more: boolean,
 *   total: number | null,
 * }} MatchList
 */
/**
 * What a bot reported with a move.
 * @typedef {{ evaluation?: number, depth?: number, nodes?: number, pv?: number[] }} MoveInfo
 */
/**
 * `infos` are by ply.
 * @typedef {{
 *   type: "record",
 *   text: string,
 *   log: string,
 *   infos: Record<string, MoveInfo>,
 * }} MatchRecord
 */
/**
 * A plot: ticks are pairs of a place and a text, shapes of a style, a path and a tooltip, and labels
 * of a style, a place and a text.
 * @typedef {{
 *   title: string,
 *   description: string,
 *   x_label: string,
 *   x_ticks: [number, string][],
 *   y_ticks: [number, string][],
 *   shapes: [style: string, path: string, tooltip: string][],
 *   labels: [style: string, x: number, y: number, text: string][],
 *   left: number,
 *   right: number,
 *   note: string,
 *   has_rows: boolean,
 * }} Panel
 * @typedef {{ width: number, height: number, top: number, bottom: number }} PanelSize
 * @typedef {{ type: "plots", matches: number, size: PanelSize, panels: Panel[] }} Plots
 */
/**
 * Results of a bot, and the 95 % interval of its share of the points.
 * @typedef {[
 *   won: number,
 *   drawn: number,
 *   lost: number,
 *   low: number | null,
 *   high: number | null,
 * ]} BotScore
 * @typedef {{ score: BotScore, first: BotScore, second: BotScore }} BothSides
 * @typedef {BothSides & { bot: string, elo: number, forfeits: number }} OpponentScore
 * @typedef {BothSides & {
 *   game: string,
 *   elo: number,
 *   margin: number | null,
 *   rank: number,
 *   is_shared: boolean,
 *   rated: number,
 *   matches: number,
 *   forfeits: Record<string, number>,
 *   accuracy: number | null,
 *   judged: number,
 *   opponents: OpponentScore[],
 *   omitted: number,
 * }} BotStanding
 * @typedef {{ type: "bot", bot: string, games: BotStanding[] }} BotInfo
 */
/**
 * @typedef {BothSides & { setup: Setup }} SetupScore
 * @typedef {{
 *   moves: number,
 *   median_ms: number,
 *   longest_ms: number,
 *   match: number,
 *   ply: number,
 * }} MoveTimes
 * @typedef {{
 *   match: number,
 *   opponent: string,
 *   setup: Setup,
 *   blunders: number,
 *   ply: number,
 *   outcome: "won" | "lost" | "draw",
 * }} LostWin
 * @typedef {{
 *   type: "bot_matches",
 *   bot: string,
 *   game: string,
 *   matches: number,
 *   since: number | null,
 *   setups: SetupScore[],
 *   omitted: number,
 *   latest: number,
 *   times: MoveTimes | null,
 *   judged: number,
 *   lost_wins: LostWin[],
 *   reported: { moves: number, depth: number | null, nodes: number | null } | null,
 * }} BotMatches
 */
/** @typedef {{ type: "margins", first_move: string, margins: Record<string, number> }} Margins */

/**
 * @typedef {{
 *   depth: number,
 *   move: number,
 *   value: number,
 *   nodes_visited: number,
 *   nodes_evaluated: number,
 *   max_depth: number,
 *   branching_factor: number,
 *   stopped: string | null,
 *   winner: Player | null,
 * }} SearchResult
 * @typedef {{
 *   type: "analysis",
 *   player: Player,
 *   legal_moves: number[],
 *   value: number | null,
 *   explanation: string | null,
 *   winner: Player | null,
 *   winning_moves: number[] | null,
 *   search: SearchResult | null,
 *   search_error: string | null,
 * }} Analysis
 * @typedef {[
 *   move: number,
 *   wins: boolean | null,
 *   staticValue: number | null,
 *   value: number | null,
 *   nodes: number,
 *   line: number[],
 *   stopped: string | null,
 * ]} MoveValue
 * @typedef {{ type: "move_values", values: MoveValue[] }} MoveValues
 * @typedef {{
 *   type: "position",
 *   player: Player,
 *   legal_moves: number[],
 *   text: string,
 *   outcome: { winner: Player | null, reason: string } | null,
 *   played_names: string[],
 *   legal_names: string[],
 * }} PositionInfo
 */

/**
 * @typedef {[move: number, kind: string, row: number, reason: string | null]} MatchingNode
 * @typedef {{
 *   type: "matching",
 *   player: Player,
 *   nodes: MatchingNode[],
 *   edges: [number, number][],
 *   pairs: [number, number][],
 *   kinds: Record<string, string>,
 *   last: number | null,
 *   winning_moves: number[],
 *   answer: number | null,
 *   sentences: string[],
 * }} Matching
 */

/**
 * @typedef {{
 *   type: "continuations",
 *   continuations: [move: number, won: number, drawn: number, lost: number][],
 * }} Continuations
 */

/**
 * A search that is shown step by step: of a position of a game, or of a written tree.
 * @typedef {{
 *   game?: string,
 *   setup?: Setup,
 *   moves?: number[],
 *   tree?: string,
 *   depth: number,
 *   variant: string,
 * }} SearchStart
 * @typedef {number | string | number[] | string[] | null} StepValue
 * @typedef {{
 *   move: number | string | null,
 *   value: number | null,
 *   nodes_visited: number,
 *   nodes_evaluated: number,
 *   max_depth: number,
 *   branching_factor: number,
 * }} TraceTotals
 * @typedef {{ value: number, nodes_visited: number, nodes_evaluated: number }} MinimaxInfo
 * @typedef {{
 *   type: "traced_search",
 *   variants: Record<string, string>,
 *   root: string,
 *   is_max: boolean,
 *   pseudocode: [indentation: number, text: string][],
 *   kinds: [kind: string, lines: number[]][],
 *   steps: StepValue[][],
 *   stopped: string | null,
 *   totals: TraceTotals,
 *   minimax: MinimaxInfo | null,
 * }} TracedSearch
 * @typedef {{ type: "exercise", search: Partial<SearchStart> }} Exercise
 * @typedef {{ type: "explained_steps", first: number, texts: string[] }} ExplainedSteps
 */

/**
 * A position of a stored match in which few moves win.
 * @typedef {{
 *   type: "puzzle",
 *   match: number,
 *   players: [string, string],
 *   game: string,
 *   setup: Setup,
 *   moves: number[],
 *   player: Player,
 *   legal_moves: number[],
 *   winning_moves: number[],
 *   played: number,
 *   plies_left: number,
 *   misleads: boolean | null,
 *   level: 1 | 2 | 3,
 *   day: string | null,
 * }} PuzzleInfo
 */

/**
 * @typedef {{ type: "name_check", name: string, problem: string | null }} NameCheck
 * @typedef {{
 *   type: "open_challenge",
 *   player: string,
 *   game: string,
 *   setup: Setup,
 *   you: Player,
 *   time: string,
 *   moves: number[],
 *   hints: boolean,
 * }} OpenChallenge
 */

/**
 * @typedef {{
 *   find_exercise: {
 *     question: { seed: number, depth: number, game: string | null, setup: Setup },
 *     answer: Exercise,
 *   },
 *   trace: { question: { search: SearchStart }, answer: TracedSearch },
 *   explain_steps: {
 *     question: { search: SearchStart, first: number, count: number },
 *     answer: ExplainedSteps,
 *   },
 *   find_games: {
 *     question: MatchFilter & { limit: number, before?: number | null },
 *     answer: MatchList,
 *   },
 *   find_puzzle: {
 *     question: { match?: number, ply?: number } | { seed: number, level: number | null },
 *     answer: PuzzleInfo,
 *   },
 *   check_name: { question: { name: string }, answer: NameCheck },
 *   find_challenge: { question: { challenge: string }, answer: OpenChallenge },
 *   find_margins: { question: { game: string }, answer: Margins },
 *   find_plots: { question: { game: string, bot?: string }, answer: Plots },
 *   find_bot: { question: { bot: string }, answer: BotInfo },
 *   find_bot_matches: { question: { bot: string, game: string }, answer: BotMatches },
 *   find_record: { question: { match: number }, answer: MatchRecord },
 *   analyse: {
 *     question: { game: string, setup: Setup, moves: number[], depth?: number | null },
 *     answer: Analysis,
 *   },
 *   find_move_values: {
 *     question: { game: string, setup: Setup, moves: number[], depth: number },
 *     answer: MoveValues,
 *   },
 *   find_matching: {
 *     question: { game: string, setup: Setup, moves: number[] },
 *     answer: Matching,
 *   },
 *   find_continuations: {
 *     question: { game: string, setup: Setup, moves: number[] },
 *     answer: Continuations,
 *   },
 *   find_position: {
 *     question: { game: string, setup: Setup, moves: number[], ply?: number },
 *     answer: PositionInfo,
 *   },
 * }} Questions
 */

/**
 * Events of the spectator connection, by their names.
 * @typedef {{
 *   about: ArenaInfo,
 *   lobby: LobbyUpdate,
 *   tables: Leaderboards,
 *   match: MatchSnapshot,
 *   moves: MatchMoves,
 *   winners: WinnersUpdate,
 *   result: MatchFinished,
 *   error: SpectatorError,
 *   status: { isConnected: boolean, isClosed: boolean },
 *   waiting: { isWaiting: boolean },
 * }} SpectatorEvents
 */

// Messages to players

/**
 * @typedef {{
 *   game: string,
 *   setup: Setup,
 *   you: Player,
 *   opponent: string | null,
 *   time: string | null,
 *   moves?: number[],
 *   hints?: boolean,
 * }} Challenge
 */

/**
 * Events of the player connection, by their names. A match is identified by text here.
 * @typedef {{
 *   welcome: { session: string },
 *   challenged: { challenge: string },
 *   started: { match: string, you: Player },
 *   turn: { match: string },
 *   finished: { match: string },
 *   challenge_received: { challenge: string, player: string },
 *   take_back_asked: { match: string },
 *   take_back_declined: { match: string },
 *   opponent_left: { match: string, claim_ms: number, grace_ms: number },
 *   opponent_back: { match: string },
 *   error: { code: string, message: string, match: string | null },
 *   rejected: { reason: string },
 *   disconnected: Record<string, never>,
 *   replaced: Record<string, never>,
 *   known: Record<string, never>,
 * }} PlayerEvents
 */

// Types shared by the views and the boards

/**
 * @typedef {{
 *   main: HTMLElement,
 *   connection: SpectatorConnection,
 *   parameters: string[],
 *   query: URLSearchParams,
 *   signal: AbortSignal,
 * }} ViewOptions
 */

/** @typedef {Map<number, "winning" | "hint">} Marks */

/**
 * @typedef {{
 *   moves: number[],
 *   ply?: number,
 *   isInteractive?: boolean,
 *   marks?: Marks,
 *   matching?: Matching | null,
 * }} BoardView
 * @typedef {{
 *   element: HTMLElement,
 *   show(view: BoardView): void,
 *   showsMatching?: boolean,
 * }} Board `showsMatching` is whether a matching in the view would be shown
 * @typedef {{
 *   onMove?: (move: number) => void,
 * }} BoardOptions
 * @typedef {new (setup: Setup, options?: BoardOptions) => Board} BoardClass
 */

/**
 * The rules of a game in sentences, the setup with which they are tried, and that of a first match;
 * `summary` is all rules in one sentence.
 * @typedef {{ setup: Setup, rules: string[], match?: Setup, summary?: string }} Lesson
 */

/**
 * The module of a game, /boards/NAME/board.js: its rules, its notation and its board.
 * @typedef {{
 *   isDrawable(setup: Setup): boolean,
 *   legalMoves(setup: Setup, moves: number[]): number[],
 *   formatMove(move: number): string,
 *   parseMove(text: string): number,
 *   describeMove(setup: Setup, moves: number[], move: number): string,
 *   describeTurn?(setup: Setup, moves: number[]): string,
 *   describeEnd?(setup: Setup, moves: number[]): string,
 *   explainIllegal?(setup: Setup, moves: number[], move: number): string,
 *   commandLine(setup: Setup, moves: number[], depth: number): string,
 *   drawThumbnail(canvas: HTMLCanvasElement, setup: Setup, moves: number[]): void,
 *   Board: BoardClass,
 *   Graph?: BoardClass,
 *   lesson?: Lesson,
 * }} GameModule
 */

/**
 * The properties of an element: listeners by the names of their events, and attributes.
 * @typedef {{
 *   [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown
 * } & Record<string, any>} Properties
 */

/** @typedef {Node | string | number | boolean | null | undefined | Child[]} Child */

export {};
