// Types for the type checker, used in comments only: the browser never loads this file.
// Made by `python -m tools.page_types` of the messages; those of the page are in view_types.js.

/**
 * The first message: a description of this arena.
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
 * The acceptance of an open challenge.
 * @typedef {{
 *   type: "accept",
 *   challenge: string,
 * }} Accept
 */

/**
 * A request to analyse a position.
 * @typedef {{
 *   type: "analyse",
 *   request: number,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves?: number[],
 *   depth?: number | null,
 * }} Analyse
 */

/**
 * The analysis of a position.
 * @typedef {{
 *   type: "analysis",
 *   request: number,
 *   player: 1 | 2,
 *   legal_moves: number[],
 *   value: number | null,
 *   explanation: string | null,
 *   winner: 1 | 2 | null,
 *   winning_moves: number[] | null,
 *   search: SearchResult | null,
 *   search_error: string | null,
 * }} Analysis
 */

/**
 * A bot in all games where it has finished a rated match, its most frequent one first.
 * @typedef {{
 *   type: "bot",
 *   request: number,
 *   bot: string,
 *   games: BotStanding[],
 * }} BotInfo
 */

/**
 * What the latest rated matches of a bot in a game show.
 * @typedef {{
 *   type: "bot_matches",
 *   request: number,
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
 *   reported: ReportedInfo | null,
 * }} BotMatches
 */

/**
 * A bot in one game, from all its rated matches.
 * @typedef {{
 *   game: string,
 *   elo: number,
 *   margin: number | null,
 *   rank: number,
 *   is_shared: boolean,
 *   rated: number,
 *   matches: number,
 *   score: BotScore,
 *   first: BotScore,
 *   second: BotScore,
 *   forfeits: Record<string, number>,
 *   accuracy: number | null,
 *   judged: number,
 *   opponents: OpponentScore[],
 *   omitted: number,
 * }} BotStanding
 */

/**
 * A casual player's request for a match, as player 1 or 2 (`you`).
 * @typedef {{
 *   type: "challenge",
 *   game: string,
 *   setup: Record<string, number>,
 *   you: 1 | 2,
 *   opponent?: string | null,
 *   time?: string | null,
 *   moves?: number[],
 *   hints?: boolean,
 * }} ChallengeMessage
 */

/**
 * An open challenge. `player` makes it and wants to be player `you`.
 * @typedef {{
 *   type: "open_challenge",
 *   request: number,
 *   player: string,
 *   game: string,
 *   setup: Record<string, number>,
 *   you: 1 | 2,
 *   time: string,
 *   moves: number[],
 *   hints: boolean,
 * }} OpenChallenge
 */

/**
 * The opponent of the last match asks for another one: send `accept` with the id to agree.
 * @typedef {{
 *   type: "challenge_received",
 *   challenge: string,
 *   player: string,
 * }} ChallengeReceived
 */

/**
 * The arena's answer to an open challenge, with its id.
 * @typedef {{
 *   type: "challenged",
 *   challenge: string,
 * }} Challenged
 */

/**
 * A request to check the name of a casual player.
 * @typedef {{
 *   type: "check_name",
 *   request: number,
 *   name: string,
 * }} CheckName
 */

/**
 * The end of a casual match after a long disconnection of the opponent.
 * @typedef {{
 *   type: "claim",
 *   match: string,
 *   result: "none" | "win",
 * }} Claim
 */

/**
 * How the latest rated matches went on that began with the same moves.
 * @typedef {{
 *   type: "continuations",
 *   request: number,
 *   continuations: [number, number, number, number][],
 * }} Continuations
 */

/**
 * The matches of two bots in a round of a Swiss or knockout.
 * @typedef {[[string | null, string | null], [number, number], string | null, string | null]} Encounter
 */

/**
 * The rejection of a message of the bot. `match` is None if it concerns no match.
 * @typedef {{
 *   type: "error",
 *   code: string,
 *   message: string,
 *   match: string | null,
 * }} Error
 */

/**
 * The rejection of a message of a spectator; `request` is None if it was no request.
 * @typedef {{
 *   type: "error",
 *   code: string,
 *   message: string,
 *   request: number | null,
 * }} SpectatorError
 */

/**
 * A random search, as a start of `trace`.
 * @typedef {{
 *   type: "exercise",
 *   request: number,
 *   search: RequestedSearch,
 * }} Exercise
 */

/**
 * A request for `count` steps of a search in words, from the step `first` on.
 * @typedef {{
 *   type: "explain_steps",
 *   request: number,
 *   search: RequestedSearch,
 *   first: number,
 *   count: number,
 * }} ExplainSteps
 */

/**
 * Steps of a search in words, from the step `first` on.
 * @typedef {{
 *   type: "explained_steps",
 *   request: number,
 *   first: number,
 *   texts: string[],
 * }} ExplainedSteps
 */

/**
 * The failure of a program that a bot runs.
 * @typedef {{
 *   termination: "disconnect" | "malformed" | "timeout",
 *   reason: string,
 *   log?: string,
 * }} Failure
 */

/**
 * A request for the rating and the results of a bot in each game.
 * @typedef {{
 *   type: "find_bot",
 *   request: number,
 *   bot: string,
 * }} FindBot
 */

/**
 * A request for what the latest rated matches of a bot in a game show.
 * @typedef {{
 *   type: "find_bot_matches",
 *   request: number,
 *   bot: string,
 *   game: string,
 * }} FindBotMatches
 */

/**
 * A request for what an open challenge offers.
 * @typedef {{
 *   type: "find_challenge",
 *   request: number,
 *   challenge: string,
 * }} FindChallenge
 */

/**
 * A request for the moves that followed the first moves of stored matches.
 * @typedef {{
 *   type: "find_continuations",
 *   request: number,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves?: number[],
 * }} FindContinuations
 */

/**
 * A request for a random search to practise with: of a written tree, or of a game.
 * @typedef {{
 *   type: "find_exercise",
 *   request: number,
 *   seed: number,
 *   depth?: number,
 *   branching?: number,
 *   game?: string | null,
 *   setup?: Record<string, number>,
 * }} FindExercise
 */

/**
 * A request for finished matches that pass a filter, latest first.
 * @typedef {{
 *   type: "find_games",
 *   request: number,
 *   before?: number | null,
 *   limit?: number,
 *   bot?: string | null,
 *   opponent?: string | null,
 *   game?: string | null,
 *   setup?: Record<string, number>,
 *   outcome?: "draw" | "lost" | "won" | null,
 *   ending?: Termination | null,
 *   max_blunders?: number | null,
 *   min_plies?: number | null,
 *   max_plies?: number | null,
 *   since?: number | null,
 *   until?: number | null,
 * }} FindGames
 */

/**
 * A request for the margins of a leaderboard that has none because it is large.
 * @typedef {{
 *   type: "find_margins",
 *   request: number,
 *   game: string,
 * }} FindMargins
 */

/**
 * A request for the matching that decides a position, in a game that has one.
 * @typedef {{
 *   type: "find_matching",
 *   request: number,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves?: number[],
 * }} FindMatching
 */

/**
 * A request for the values of all legal moves in a search to `depth` plies (0: to the end).
 * @typedef {{
 *   type: "find_move_values",
 *   request: number,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves?: number[],
 *   depth?: number,
 * }} FindMoveValues
 */

/**
 * A request for the plots of a game's rated matches, or for the ratings of one bot alone.
 * @typedef {{
 *   type: "find_plots",
 *   request: number,
 *   game: string,
 *   bot?: string | null,
 * }} FindPlots
 */

/**
 * A request for a position, for clients that do not know the rules of the game.
 * @typedef {{
 *   type: "find_position",
 *   request: number,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves?: number[],
 *   ply?: number | null,
 * }} FindPosition
 */

/**
 * A request for a position of a stored match in which few moves win.
 * @typedef {{
 *   type: "find_puzzle",
 *   request: number,
 *   match?: number | null,
 *   ply?: number,
 *   seed?: number | null,
 *   level?: 1 | 2 | 3 | null,
 * }} FindPuzzle
 */

/**
 * A request for the record of a match as PGN-like text.
 * @typedef {{
 *   type: "find_record",
 *   request: number,
 *   match: number,
 * }} FindRecord
 */

/**
 * The end of a match, sent after the result is stored.
 * @typedef {{
 *   type: "finished",
 *   match: string,
 *   you: number,
 *   winner: number | null,
 *   termination: string,
 *   reason: string,
 *   moves: number[],
 * }} Finished
 */

/**
 * A game of this arena.
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
 * Finished matches, latest first. `more` says whether there are earlier ones.
 * @typedef {{
 *   type: "games",
 *   request: number,
 *   games: MatchSummary[],
 *   more: boolean,
 *   total: number | null,
 * }} MatchList
 */

/**
 * The results between two bots, named by their places in the leaderboard.
 * @typedef {[number, number, [number, number], [number, number], number, [number, number]]} HeadToHead
 */

/**
 * The first message of a bot: its name, its games, and its limit of simultaneous matches.
 * @typedef {{
 *   type: "hello",
 *   protocol: number,
 *   name: string,
 *   games: string[],
 *   matches?: number,
 *   session?: string | null,
 *   token?: string | null,
 *   casual?: boolean,
 * }} Hello
 */

/**
 * The search behind a move, as its bot reports it. None of the fields is checked.
 * @typedef {{
 *   evaluation?: number,
 *   depth?: number,
 *   nodes?: number,
 *   pv?: number[],
 * }} MoveInfo
 */

/**
 * A text with the class of its style.
 * @typedef {[string, number, number, string]} Label
 */

/**
 * The bots in one game, best first, with their results against each other.
 * @typedef {{
 *   game: string,
 *   finished: number,
 *   judged: number,
 *   first_move: string,
 *   note: string,
 *   bots: LeaderboardRow[],
 *   meetings: HeadToHead[],
 *   omitted: number,
 *   places: [number, string, string][],
 *   rounds: Encounter[][],
 *   points: [number, string, number, number, number, number][],
 * }} Leaderboard
 */

/**
 * The row of a bot in a leaderboard. Unknown numbers are None.
 * @typedef {{
 *   bot: string,
 *   elo: number | null,
 *   margin: number | null,
 *   wins: number,
 *   losses: number,
 *   forfeits: number,
 *   accuracy: number | null,
 *   draws: number,
 *   pairs: [number, number, number],
 * }} LeaderboardRow
 */

/**
 * The leaderboard of each game, sent again after every change.
 * @typedef {{
 *   type: "tables",
 *   tables: Leaderboard[],
 * }} Leaderboards
 */

/**
 * The changes of the lobby since the previous message, or its whole state if `full`.
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
 */

/**
 * A match in which a bot gave up a won position `blunders` times, the last time at `ply`.
 * @typedef {{
 *   match: number,
 *   opponent: string,
 *   setup: Record<string, number>,
 *   blunders: number,
 *   ply: number,
 *   outcome: "draw" | "lost" | "won",
 * }} LostWin
 */

/**
 * The margins of the latest leaderboard of a game, by bot, and its `first_move` with one.
 * @typedef {{
 *   type: "margins",
 *   request: number,
 *   game: string,
 *   first_move: string,
 *   margins: Record<string, number>,
 * }} Margins
 */

/**
 * The end of the followed match, sent after the result is stored.
 * @typedef {{
 *   type: "result",
 *   result: MatchResult,
 * }} MatchFinished
 */

/**
 * The facts of a match known at its start. `opening` is the number of opening moves.
 * @typedef {{
 *   match: number,
 *   number: number | null,
 *   players: [string, string],
 *   game: string,
 *   setup: Record<string, number>,
 *   opening: number,
 *   control: TimeControlInfo,
 *   casual: boolean,
 *   started_at: number,
 *   control2: TimeControlInfo | null,
 *   hints: boolean,
 * }} MatchInfo
 */

/**
 * New moves in the followed match.
 * @typedef {{
 *   type: "moves",
 *   moves: MoveUpdate,
 * }} MatchMoves
 */

/**
 * The complete state of the followed match.
 * @typedef {{
 *   type: "match",
 *   facts: MatchInfo,
 *   moves: MoveUpdate,
 *   winners: number[] | null,
 *   result: MatchResult | null,
 * }} MatchSnapshot
 */

/**
 * A finished match without its moves.
 * @typedef {{
 *   facts: MatchInfo,
 *   result: MatchResult,
 *   plies: number,
 * }} MatchSummary
 */

/**
 * The maximum matching that decides a position; core.game.Matching describes the fields.
 * @typedef {{
 *   type: "matching",
 *   request: number,
 *   player: 1 | 2,
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
 * What minimax finds and visits from the same start.
 * @typedef {{
 *   value: number,
 *   nodes_visited: number,
 *   nodes_evaluated: number,
 * }} MinimaxInfo
 */

/**
 * The move of a bot, with the match and the ply that it answers.
 * @typedef {{
 *   type: "move",
 *   match: string,
 *   ply: number,
 *   move: number,
 *   log?: string | null,
 *   info?: MoveInfo | null,
 * }} Move
 */

/**
 * Times charged for `moves` of a bot; the longest one was in `match`, after `ply` moves.
 * @typedef {{
 *   moves: number,
 *   median_ms: number,
 *   longest_ms: number,
 *   match: number,
 *   ply: number,
 * }} MoveTimes
 */

/**
 * The moves of a match from `ply` on, which replace all earlier ones from there.
 * @typedef {{
 *   match: number,
 *   ply: number,
 *   moves: number[],
 *   charged_ms: number[],
 *   since_ms: number | null,
 * }} MoveUpdate
 */

/**
 * A legal move, and the value for player 1 that the search gives it.
 * @typedef {[number, boolean | null, number | null, number | null, number, number[], string | null]} MoveValue
 */

/**
 * The values of all legal moves of a position, ascending by move.
 * @typedef {{
 *   type: "move_values",
 *   request: number,
 *   values: MoveValue[],
 * }} MoveValues
 */

/**
 * A name in the spelling to use, and why it cannot be used, if it cannot.
 * @typedef {{
 *   type: "name_check",
 *   request: number,
 *   name: string,
 *   problem: string | null,
 * }} NameCheck
 */

/**
 * A move as a node of a matching, encoded as an array: there may be hundreds.
 * @typedef {[number, string, number, string | null]} MatchingNode
 */

/**
 * The reconnection of the opponent, in a casual match.
 * @typedef {{
 *   type: "opponent_back",
 *   match: string,
 * }} OpponentBack
 */

/**
 * The disconnection of the opponent, in a casual match.
 * @typedef {{
 *   type: "opponent_left",
 *   match: string,
 *   claim_ms: number,
 *   grace_ms: number,
 * }} OpponentLeft
 */

/**
 * Results of a bot against an opponent, as player 1 and as player 2; `elo` is the opponent's.
 * @typedef {{
 *   bot: string,
 *   elo: number,
 *   score: BotScore,
 *   first: BotScore,
 *   second: BotScore,
 *   forfeits: number,
 * }} OpponentScore
 */

/**
 * How a game has ended. `winner` is None for a draw; `reason` names "player 1", "player 2".
 * @typedef {{
 *   winner: 1 | 2 | null,
 *   reason: string,
 * }} OutcomeInfo
 */

/**
 * One plot.
 * @typedef {{
 *   title: string,
 *   description: string,
 *   x_label: string,
 *   x_ticks: [number, string][],
 *   y_ticks: [number, string][],
 *   shapes: Shape[],
 *   left: number,
 *   right: number,
 *   labels: Label[],
 *   note: string,
 *   has_rows: boolean,
 * }} Panel
 */

/**
 * The size of every panel, and the heights of the ends of its vertical axis.
 * @typedef {{
 *   width: number,
 *   height: number,
 *   top: number,
 *   bottom: number,
 * }} PanelSize
 */

/**
 * An integer parameter of a game's setup.
 * @typedef {{
 *   meaning: string,
 *   minimum: number,
 *   usual: number[],
 *   maximum: number | null,
 *   default: number | null,
 * }} ParameterInfo
 */

/**
 * The plots of a game's rated matches, `matches` in number. All panels have one `size`.
 * @typedef {{
 *   type: "plots",
 *   request: number,
 *   game: string,
 *   matches: number,
 *   size: PanelSize,
 *   panels: Panel[],
 * }} Plots
 */

/**
 * A position: the player to move, the legal moves, and a text for people.
 * @typedef {{
 *   type: "position",
 *   request: number,
 *   player: 1 | 2,
 *   legal_moves: number[],
 *   text: string,
 *   outcome: OutcomeInfo | null,
 *   played_names: string[],
 *   legal_names: string[],
 * }} PositionInfo
 */

/**
 * A puzzle: the position after `moves` of a match, the opening included.
 * @typedef {{
 *   type: "puzzle",
 *   request: number,
 *   match: number,
 *   players: [string, string],
 *   game: string,
 *   setup: Record<string, number>,
 *   moves: number[],
 *   player: 1 | 2,
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
 * The record of a match as text.
 * @typedef {{
 *   type: "record",
 *   request: number,
 *   text: string,
 *   log: string,
 *   infos: Record<string, MoveInfo>,
 * }} MatchRecord
 */

/**
 * What a bot reported with `moves` of its moves; `depth` and `nodes` are medians.
 * @typedef {{
 *   moves: number,
 *   depth: number | null,
 *   nodes: number | null,
 * }} ReportedInfo
 */

/**
 * The resignation of a match.
 * @typedef {{
 *   type: "resign",
 *   match: string,
 *   failure?: Failure | null,
 * }} Resign
 */

/**
 * The end of a match.
 * @typedef {{
 *   match: number,
 *   winner: 1 | 2 | null,
 *   termination: Termination,
 *   reason: string,
 *   finished_at: number,
 *   fault?: [number | null, number],
 * }} MatchResult
 */

/**
 * Results of a bot, and the 95 % interval of its share of the points by Wilson.
 * @typedef {[number, number, number, number | null, number | null]} BotScore
 */

/**
 * A search that is shown step by step: of a position of a game, or of a written tree.
 * @typedef {{
 *   game?: string | null,
 *   setup?: Record<string, number>,
 *   moves?: number[],
 *   tree?: string | null,
 *   depth?: number,
 *   variant?: string,
 * }} RequestedSearch
 */

/**
 * The result of an alpha-beta search; `stopped` is the limit that ended it early, if any.
 * @typedef {{
 *   depth: number,
 *   move: number,
 *   value: number,
 *   nodes_visited: number,
 *   nodes_evaluated: number,
 *   max_depth: number,
 *   branching_factor: number,
 *   stopped: string | null,
 *   winner: 1 | 2 | null,
 * }} SearchResult
 */

/**
 * Results of a bot with one setup, on both sides, as player 1 and as player 2.
 * @typedef {{
 *   setup: Record<string, number>,
 *   score: BotScore,
 *   first: BotScore,
 *   second: BotScore,
 * }} SetupScore
 */

/**
 * A path with the class of its style and, for a mark of one value, its tooltip.
 * @typedef {[string, string, string]} Shape
 */

/**
 * The start of a match, sent to casual players only.
 * @typedef {{
 *   type: "started",
 *   match: string,
 *   game: string,
 *   setup: Record<string, number>,
 *   you: number,
 *   opponent: string,
 * }} Started
 */

/**
 * A kind of step, with the lines of the pseudocode that it belongs to, counted from 0.
 * @typedef {[string, number[]]} StepKind
 */

/**
 * A request to take back the sender's last move and the moves since, in a casual match.
 * @typedef {{
 *   type: "take_back",
 *   match: string,
 *   accept?: boolean,
 * }} TakeBack
 */

/**
 * The opponent's takeback request: answer `take_back`, which may decline it, or a move.
 * @typedef {{
 *   type: "take_back_asked",
 *   match: string,
 * }} TakeBackAsked
 */

/**
 * The opponent's refusal of a takeback request.
 * @typedef {{
 *   type: "take_back_declined",
 *   match: string,
 * }} TakeBackDeclined
 */

/**
 * The way a match ended.
 * @typedef {"aborted" | "disconnect" | "game_over" | "illegal_move" | "malformed" | "no_legal_move" | "resignation" | "timeout"} Termination
 */

/**
 * A time control, as text and in milliseconds; `per_move` resets the clock for each move.
 * @typedef {{
 *   text: string,
 *   base_ms: number,
 *   increment_ms: number,
 *   per_move: boolean,
 * }} TimeControlInfo
 */

/**
 * The tournament in progress. `matches` is an upper bound if it `may_end_early`.
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
 * A request for the steps of a search.
 * @typedef {{
 *   type: "trace",
 *   request: number,
 *   search: RequestedSearch,
 * }} Trace
 */

/**
 * The numbers of a traced search; `move` and `value` are None if it was cut too early.
 * @typedef {{
 *   move: number | string | null,
 *   value: number | null,
 *   nodes_visited: number,
 *   nodes_evaluated: number,
 *   max_depth: number,
 *   branching_factor: number,
 * }} TraceTotals
 */

/**
 * The steps of a search.
 * @typedef {{
 *   type: "traced_search",
 *   request: number,
 *   variants: Record<string, string>,
 *   root: string,
 *   is_max: boolean,
 *   pseudocode: [number, string][],
 *   kinds: StepKind[],
 *   steps: ((number | string | (number | string)[] | null)[])[],
 *   stopped: string | null,
 *   totals: TraceTotals,
 *   minimax: MinimaxInfo | null,
 * }} TracedSearch
 */

/**
 * A request for a move, with all that a bot needs to choose it.
 * @typedef {{
 *   type: "turn",
 *   match: string,
 *   game: string,
 *   setup: Record<string, number>,
 *   moves: number[],
 *   ply: number,
 *   you: number,
 *   clocks_ms: [number, number],
 *   increment_ms: number,
 *   opponent: string,
 *   per_move: boolean,
 *   opponent_increment_ms: number | null,
 *   opponent_per_move: boolean | null,
 * }} Turn
 */

/**
 * A request to follow the match with this id, or the lobby if it is None.
 * @typedef {{
 *   type: "watch",
 *   match?: number | null,
 * }} Watch
 */

/**
 * The arena's answer to `hello`, with the key of the session.
 * @typedef {{
 *   type: "welcome",
 *   protocol: number,
 *   name: string,
 *   session: string,
 *   grace: number,
 *   margin: number,
 * }} Welcome
 */

/**
 * The winners under perfect play (1 or 2) of the positions from `ply` moves on.
 * @typedef {{
 *   type: "winners",
 *   match: number,
 *   ply: number,
 *   winners: number[],
 * }} WinnersUpdate
 */

/**
 * The workers of a tournament in process.
 * @typedef {{
 *   workers: number,
 *   matches_per_second: number,
 *   in_flight: number,
 *   lost: number,
 *   replayed: number,
 * }} WorkersInfo
 */

/** @typedef {import("./view_types.js").Setup} Setup */
/** @typedef {import("./view_types.js").Player} Player */
/** @typedef {import("./view_types.js").MatchFilter} MatchFilter */
/** @typedef {import("./view_types.js").Challenge} Challenge */
/** @typedef {import("./view_types.js").BothSides} BothSides */
/** @typedef {import("./view_types.js").SearchStart} SearchStart */
/** @typedef {import("./view_types.js").StepValue} StepValue */
/** @typedef {import("./view_types.js").Questions} Questions */
/** @typedef {import("./view_types.js").SpectatorEvents} SpectatorEvents */
/** @typedef {import("./view_types.js").PlayerEvents} PlayerEvents */
/** @typedef {import("./view_types.js").ViewOptions} ViewOptions */
/** @typedef {import("./view_types.js").Marks} Marks */
/** @typedef {import("./view_types.js").BoardView} BoardView */
/** @typedef {import("./view_types.js").Board} Board */
/** @typedef {import("./view_types.js").BoardOptions} BoardOptions */
/** @typedef {import("./view_types.js").BoardClass} BoardClass */
/** @typedef {import("./view_types.js").Lesson} Lesson */
/** @typedef {import("./view_types.js").GameModule} GameModule */
/** @typedef {import("./view_types.js").Properties} Properties */
/** @typedef {import("./view_types.js").Child} Child */

export {};
