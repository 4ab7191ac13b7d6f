#compdef gpubench
# Completion of gpubench's command line for zsh: bash's knows what there is.
local line
local -a plain folders described
for line in "${(@f)$(bash ${${(%):-%x}:A:h}/completion.bash "${(@Q)words[1,CURRENT]}" 2>/dev/null)}"; do
    case $line in
    *$'\t'*) described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    */) folders+=("${line%/}") ;;
    ?*) plain+=("$line") ;;
    esac
done
(( ! $#described )) || _describe gpubench described
(( ! $#plain )) || compadd -f -- "${plain[@]}"
(( ! $#folders )) || compadd -f -S / -q -- "${folders[@]}"
