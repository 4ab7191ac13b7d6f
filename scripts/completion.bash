#!/bin/bash
# Completion of gpubench's command line for bash; zsh's and fish's run it as a program. It asks gpubench
# itself, through --help and list, and holds no list of commands, options or values of its own.
#
# Sourced: defines the completion. Run with a command line's words, of which the last one is incomplete:
# prints what it may become, a line each, some with a tab and a description; folders end in a slash.

# _gpubench_offer WORD [DESCRIPTION]: a candidate, once, if the incomplete word is its beginning.
_gpubench_offer()
{
    [[ $1 == "$word"* && " ${found[*]} " != *" $1 "* ]] || return 0
    found+=("$1") about+=("${2-}")
}

# _gpubench_offer_first COMMAND...: the first word of each line that the command prints, the rest as its
# description.
_gpubench_offer_first()
{
    local candidate description
    while read -r candidate description; do
        _gpubench_offer "$candidate" "$description"
    done < <("$@")
}

# _gpubench_offer_files ENDING: folders, and files that end so.
_gpubench_offer_files()
{
    local path
    files=yes
    while IFS= read -r path; do
        _gpubench_offer "$path/"
    done < <(compgen -d -- "$word")
    while IFS= read -r path; do
        [[ -d $path || $path == *.samples.csv || $path == *.retried.csv ]] || _gpubench_offer "$path"
    done < <(compgen -f -X "!*$1" -- "$word")
}

# Other tools' results: JSON that is not what a run says of itself.
_gpubench_offer_json()
{
    local path
    while IFS= read -r path; do
        [[ -d $path || $path == *.meta.json || $path == *.unfinished.json ]] || _gpubench_offer "$path"
    done < <(compgen -f -X '!*.json' -- "$word")
}

_gpubench_folder() { dirname "$(readlink -f -- "$(type -P -- "$program")")"; }

# The folders with configs, plots and published numbers, as gpubench looks for them.
_gpubench_share()
{
    local own folder
    [[ -z ${GPUBENCH_SHARE-} ]] || { echo "$GPUBENCH_SHARE/"; return; }
    echo ./
    own=$(_gpubench_folder)
    for folder in "$own" "${own%/*}" "${own%/*}/share/gpubench"; do
        [[ $folder -ef . ]] || echo "$folder/"
    done
}

# Those of the share folders, by their path, or by name once something else than a path is begun, and unless
# these will do, all that may be one.
_gpubench_offer_configs()
{
    local folder path
    while read -r folder; do
        if [[ -n $word && $word != */* ]]; then
            for path in "$folder"configs/*.json; do
                path=${path##*/}
                [[ $path == "*.json" ]] || _gpubench_offer "${path%.json}"
            done
        fi
        for path in "$folder"configs/*.json; do
            [[ ! -e $path ]] || _gpubench_offer "${path#./}"
        done
    done < <(_gpubench_share)
    files=yes
    [[ -z $word && ${#found[@]} -gt 0 ]] || _gpubench_offer_files .json
}

# What stands for NAME in FOLDER/NAME.ENDING, as a help text writes it.
_gpubench_offer_names()
{
    local folder path
    while read -r folder; do
        for path in "$folder${1%NAME*}"*"${1#*NAME}"; do
            path=${path#"$folder${1%NAME*}"} path=${path%"${1#*NAME}"}
            # common.gp is what the figures share
            [[ $path == "*" || $path == common ]] || _gpubench_offer "$path"
        done
    done < <(_gpubench_share)
}

# The devices of the workers beside gpubench, by index. On standard error they say what they miss.
_gpubench_devices()
{
    local worker
    for worker in "${GPUBENCH_WORKER_PATH:-$(_gpubench_folder)}"/gpubench-cuda*; do
        [[ ! -x $worker ]] || timeout 5 "$worker" --describe
    done 2>/dev/null | grep -oE '"index":[[:space:]]*[0-9]+' | grep -oE '[0-9]+' | sort -nu
}

# Those of the simt device have a fast start; those in Python alone come from GPUBENCH_WORKERS.
_gpubench_primitives()
{
    { "$program" list primitives --device simt
      [[ -z ${GPUBENCH_WORKERS-} ]] || "$program" list primitives --device python; } 2>/dev/null | grep '^[a-z]'
}
# list variants, of the folder among the operands if there is one.
_gpubench_list_variants()
{
    local operand
    for operand in "${operands[@]}"; do
        [[ $usage != *"|DIR"* || $operand != */* || ! -d $operand ]] || { "$program" list variants "$operand"; return; }
    done
    "$program" list variants --device simt
    [[ -z ${GPUBENCH_WORKERS-} ]] || "$program" list variants --device python
}
_gpubench_dumps() { "$program" dump "${operands[0]-}" --device simt 2>/dev/null; }
# Where no operand is a primitive, of all of them.
_gpubench_variants()
{
    _gpubench_list_variants 2>/dev/null | awk -v of=" ${operands[*]} " '
        NR > 1 && NF { primitive[NR] = $1; variant[NR] = $2; named = named || index(of, " " $1 " ") }
        END { for (i = 2; i <= NR; i++) if (variant[i] != "" && (!named || index(of, " " primitive[i] " ")) && !seen[variant[i]]++) print variant[i] }'
}

# _gpubench_offer_words a|b|c: those that stand for themselves.
_gpubench_offer_words()
{
    local alternative
    for alternative in ${1//|/ }; do
        [[ $alternative == *[A-Z]* ]] || _gpubench_offer "${alternative%,...}"
    done
}

# _gpubench_offer_operand NAME: as the usage calls it. Most are results: files of rows, or folders of such.
_gpubench_offer_operand()
{
    case $1 in
    CONFIG) _gpubench_offer_configs ;;
    PRIMITIVE*)
        _gpubench_offer_first _gpubench_primitives
        # What else may stand there are paths.
        if [[ $1 == *"|"* && ( $word == */* || ${#found[@]} -eq 0 ) ]]; then
            if [[ $1 == *CONFIG* ]]; then _gpubench_offer_files .json; else _gpubench_offer_files /; fi
        fi
        ;;
    DIR) _gpubench_offer_files / ;;
    WHAT) _gpubench_offer_first _gpubench_dumps ;;
    [A-Z]*)
        _gpubench_offer_files .csv
        _gpubench_offer_json
        ;;
    *) _gpubench_offer_words "$1" ;;
    esac
}

# _gpubench_offer_value OPTION: what may stand behind it.
_gpubench_offer_value()
{
    local argument=${arguments[$1]}
    case $1:$argument in
    --device:*)
        _gpubench_offer_words "$argument"
        _gpubench_offer_first _gpubench_devices
        ;;
    --variant:NAME) _gpubench_offer_first _gpubench_variants ;;
    *:NAME)
        if [[ ${helps[$1]} =~ [a-z/]+/NAME[a-z.]+ ]]; then _gpubench_offer_names "${BASH_REMATCH[0]}"; fi
        if [[ ${helps[$1]} =~ ", or: "([a-z]+) ]]; then _gpubench_offer "${BASH_REMATCH[1]}"; fi
        ;;
    *:FILE) _gpubench_offer_files '' ;;
    *:DIR | *"|DIR") _gpubench_offer_files / ;;
    *:*"|"*) _gpubench_offer_words "$argument" ;;
    esac
}

# Reads the help text of a command: usage, and of each option what it takes and what it does.
_gpubench_read_help()
{
    local line word choices
    while IFS= read -r line; do
        if [[ $line =~ ^"usage: gpubench $1 "(.*) ]]; then
            usage=${BASH_REMATCH[1]}
        elif [[ $line =~ ^"  "(--[a-z0-9-]+)("[="([^ ]+)"]")?(" "([^ ]+(" "[^ ]+)*))?"  "+(.*) ]]; then
            options+=("${BASH_REMATCH[1]}")
            arguments[${BASH_REMATCH[1]}]=${BASH_REMATCH[5]}
            helps[${BASH_REMATCH[1]}]=${BASH_REMATCH[7]}
            choices=${BASH_REMATCH[3]//|/ }
            for word in $choices; do
                options+=("${BASH_REMATCH[1]}=$word")
                helps[${BASH_REMATCH[1]}=$word]=${BASH_REMATCH[7]}
            done
        fi
    done < <("$program" "$1" --help 2>/dev/null)
}

_gpubench_commands()
{
    "$program" --help 2>/dev/null | sed -nE '/^commands:/,/^$/s/^  ([a-z]+) .*  ([^ ].*)/\1 \2/p'
}

# _gpubench_candidates PROGRAM WORD...: fills found and about for the last word, and files where these
# are files.
_gpubench_candidates()
{
    local program=${1/#\~\//$HOME/} word=${*: -1} usage='' options=() operands=() at=0 pending='' option kind
    local -A arguments=() helps=()
    found=() about=() files=
    if [[ $# -le 2 ]]; then
        _gpubench_offer_first _gpubench_commands
        [[ $word != -* ]] || { _gpubench_offer --help; _gpubench_offer --version; }
        return
    fi
    _gpubench_read_help "$2"
    for option in "${@:3:$#-3}"; do
        if [[ -n $pending ]]; then
            pending=
        elif [[ $option == --*=* || $option != -* ]]; then
            [[ $option == -* ]] || operands+=("$option")
        elif [[ -n ${arguments[$option]-} ]]; then
            pending=$option
        fi
    done
    if [[ -n $pending ]]; then
        _gpubench_offer_value "$pending"
    elif [[ $word == --*=* && -n ${arguments[${word%%=*}]-} ]]; then
        option=${word%%=*} word=${word#*=}
        _gpubench_offer_value "$option"
        found=("${found[@]/#/$option=}")
    elif [[ $word == -* ]]; then
        for option in "${options[@]}"; do _gpubench_offer "$option" "${helps[$option]}"; done
    else
        # Of the operands in the usage the last one counts for all that follow it.
        for option in $usage; do
            [[ $option != -* && $option != "[options]" ]] || break
            [[ $at -gt ${#operands[@]} ]] || kind=$option
            at=$((at + 1))
        done
        option=${kind-}
        [[ ${#operands[@]} -ge $at && $option != *...* ]] || _gpubench_offer_operand "${option//[].[]/}"
    fi
}

_gpubench()
{
    local words=() part found about files
    # --option=value may come in three pieces.
    for part in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} -gt 1 && ( $part == = || ${words[-1]} == --*= ) && ${words[-1]} == --* ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
    done
    _gpubench_candidates "${words[@]}"
    COMPREPLY=("${found[@]}")
    if [[ ${words[-1]} == --*=* && $COMP_WORDBREAKS == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#--*=}")
    fi
    if [[ -n $files ]]; then
        COMPREPLY=("${COMPREPLY[@]%/}")
        compopt -o filenames 2>/dev/null
    fi
}

if [[ ${BASH_SOURCE[0]} != "$0" ]]; then
    complete -F _gpubench gpubench
elif [[ $# -gt 1 ]]; then
    _gpubench_candidates "$@"
    for ((i = 0; i < ${#found[@]}; i++)); do
        printf '%s%s\n' "${found[i]}" "${about[i]:+$'\t'${about[i]}}"
    done
fi
